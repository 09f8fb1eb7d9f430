// The oracle of `render/sprig`: renders the cases with Go's own text/template and sprig, and writes what
// came of it. `go run . -cases DIR -golden DIR -table FILE`; the crate's tests compare without Go.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// A case and its outcome. Out and Err exclude each other.
type golden struct {
	Template string  `json:"template"`
	Out      *string `json:"out,omitempty"`
	Err      *string `json:"err,omitempty"`
}

// The data of all cases; `tests/it/data.rs` makes the same.
func data() map[string]interface{} {
	var fromJSON interface{}
	text := `{"name":"web","n":3,"f":1.5,"big":1000000,"list":[1,"a",null,true,[2,3]],"map":{"b":2,"a":{"c":"d"}},"null":null,"empty":{},"none":[],"t":true,"no":false,"zero":0,"blank":""}`
	if err := json.Unmarshal([]byte(text), &fromJSON); err != nil {
		panic(err)
	}
	return map[string]interface{}{
		"j":       fromJSON,
		"i":       int(42),
		"i8":      int8(-8),
		"i16":     int16(-16),
		"i32":     int32(-32),
		"i64":     int64(-64),
		"u":       uint(42),
		"u8":      uint8(8),
		"u16":     uint16(16),
		"u32":     uint32(32),
		"u64":     uint64(18446744073709551615),
		"f32":     float32(0.1),
		"f64":     float64(-2.75),
		"s":       "text",
		"strs":    []string{"b", "a", "c"},
		"ints":    []int{3, 1, 2},
		"floats":  []float64{1.5, 2, 2.5},
		"dicts":   map[string]string{"k": "v"},
		"nildict": map[string]interface{}(nil),
		"nillist": []interface{}(nil),
		"bytes":   []byte("raw"),
		"number":  json.Number("12.0"),
		"raw":     "a\xffb",
	}
}

// The outcome of a template.
func run(text string) golden {
	result := golden{Template: text}
	fail := func(err error) golden {
		message := err.Error()
		result.Err = &message
		return result
	}
	parsed, err := template.New("t").Funcs(sprig.TxtFuncMap()).Parse(text)
	if err != nil {
		return fail(err)
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, data()); err != nil {
		return fail(err)
	}
	text = out.String()
	result.Out = &text
	return result
}

func write(path string, cases []golden) {
	file, err := os.Create(path)
	check(err)
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, one := range cases {
		check(encoder.Encode(one))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Templates from standard input, one JSON string per line; outcomes to standard output.
func serve() {
	reader := bufio.NewReader(os.Stdin)
	encoder := json.NewEncoder(os.Stdout)
	for {
		line, err := reader.ReadString('\n')
		if err == io.EOF {
			return
		}
		check(err)
		var text string
		check(json.Unmarshal([]byte(line), &text))
		check(encoder.Encode(run(text)))
	}
}

func main() {
	cases := flag.String("cases", "../../sprig/tests/cases", "folder of the case files, one template per line")
	out := flag.String("golden", "../../sprig/tests/golden", "folder to write the outcomes to")
	table := flag.String("table", "../../sprig/src/unicode/table.rs", "file to write the letter tables to")
	stdin := flag.Bool("serve", false, "answer templates from standard input")
	flag.Parse()
	os.Setenv("TZ", "UTC")
	if *stdin {
		serve()
		return
	}
	var tables bytes.Buffer
	writeUnicode(&tables)
	check(os.WriteFile(*table, tables.Bytes(), 0o644))
	files, err := filepath.Glob(filepath.Join(*cases, "*.txt"))
	check(err)
	sort.Strings(files)
	check(os.MkdirAll(*out, 0o755))
	total := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		check(err)
		var results []golden
		for _, line := range strings.Split(string(text), "\n") {
			if line != "" && !strings.HasPrefix(line, "#") {
				results = append(results, run(line))
			}
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txt") + ".jsonl"
		write(filepath.Join(*out, name), results)
		total += len(results)
	}
	var names []string
	for name := range sprig.TxtFuncMap() {
		names = append(names, name+"\n")
	}
	sort.Strings(names)
	check(os.WriteFile(filepath.Join(*out, "../names.txt"), []byte(strings.Join(names, "")), 0o644))
	matrix := calls()
	write(filepath.Join(*out, "calls.jsonl"), matrix)
	fmt.Println(total, "cases,", len(matrix), "generated calls")
}
