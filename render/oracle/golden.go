package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"unicode/utf8"
)

// Case is a line of a golden file: a request and what Go makes of it.
type Case struct {
	Request
	Output *string `json:"output,omitempty"`
	// Instead of output, when it is no UTF-8.
	Output64 string `json:"output64,omitempty"`
	Error    string `json:"error,omitempty"`
}

func golden(args []string) error {
	write := len(args) > 0 && args[0] == "--write"
	if write {
		args = args[1:]
	}
	differ := 0
	for _, path := range args {
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		updated, err := answered(old)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if bytes.Equal(old, updated) {
			continue
		}
		if write {
			if err := os.WriteFile(path, updated, 0o644); err != nil {
				return err
			}
			fmt.Println("written:", path)
			continue
		}
		fmt.Println("differs:", path)
		differ++
	}
	if differ > 0 {
		return fmt.Errorf("%d golden files are not what this Go gives", differ)
	}
	return nil
}

func answered(old []byte) ([]byte, error) {
	var updated bytes.Buffer
	encoder := json.NewEncoder(&updated)
	encoder.SetEscapeHTML(false)
	scanner := bufio.NewScanner(bytes.NewReader(old))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var c Case
		if err := json.Unmarshal(scanner.Bytes(), &c); err != nil {
			return nil, err
		}
		answer := render(c.Request)
		c.Output, c.Output64, c.Error = nil, "", string(answer.Error)
		if answer.Error == nil {
			text := string(answer.Output)
			if utf8.ValidString(text) {
				c.Output = &text
			} else {
				c.Output64 = base64.StdEncoding.EncodeToString(answer.Output)
			}
		}
		if err := encoder.Encode(c); err != nil {
			return nil, err
		}
	}
	return updated.Bytes(), scanner.Err()
}
