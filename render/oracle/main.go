// The oracle of qm-gotemplate: Go's own text/template, asked what a template gives.
//
//	oracle serve               a request per line on standard input, an answer per line on standard output
//	oracle golden [--write] F  the cases of these files, compared or written
//	oracle unicode             the tables of render/gotemplate/src/unicode/table.rs
//	oracle bench               a request per line; the answer is nanoseconds
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: oracle serve | golden [--write] FILE... | unicode | bench")
	}
	switch args[0] {
	case "serve":
		return lines(func(request Request) any { return render(request) })
	case "bench":
		return lines(func(request Request) any { return bench(request) })
	case "golden":
		return golden(args[1:])
	case "unicode":
		writeUnicode(os.Stdout)
		return nil
	}
	return fmt.Errorf("there is no %q", args[0])
}

// lines answers each line as soon as it is read.
func lines(answer func(Request) any) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	decoder := json.NewDecoder(in)
	encoder := json.NewEncoder(out)
	for decoder.More() {
		var request Request
		if err := decoder.Decode(&request); err != nil {
			return err
		}
		if err := encoder.Encode(answer(request)); err != nil {
			return err
		}
		if decoder.Buffered() == nil || in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
