package main

import (
	"bytes"
	"errors"
	"text/template"
	"time"
)

// Request is a template and how to execute it. The functions and the data are the same on both
// sides: functions.go and data.go here, tests/it/world.rs there.
type Request struct {
	Text       string `json:"text"`
	Left       string `json:"left,omitempty"`
	Right      string `json:"right,omitempty"`
	MissingKey string `json:"missingkey,omitempty"`
	// Numbers of the JSON part of the data: float64 or int64.
	Numbers string `json:"numbers,omitempty"`
	// For bench: data as JSON instead of the test data.
	Data string `json:"data,omitempty"`
	// For bench: how often.
	Rounds int `json:"rounds,omitempty"`
}

// Answer is bytes: templates can write what is no UTF-8.
type Answer struct {
	Output []byte `json:"output"`
	Error  []byte `json:"error"`
}

func parse(request Request) (*template.Template, error) {
	t := template.New("t").Funcs(functions).Delims(request.Left, request.Right)
	if request.MissingKey != "" {
		t = t.Option("missingkey=" + request.MissingKey)
	}
	return t.Parse(request.Text)
}

// What begins with "oracle:" is no answer of Go's: the template would have taken too much.
var (
	errLong = errors.New("oracle: the output is too long")
	errSlow = errors.New("oracle: it takes too long")
)

// limited ends an execution that writes without end; Go itself has no bound.
type limited struct{ bytes.Buffer }

func (w *limited) Write(b []byte) (int, error) {
	if w.Len()+len(b) > 1<<18 {
		return 0, errLong
	}
	return w.Buffer.Write(b)
}

func render(request Request) Answer {
	t, err := parse(request)
	if err != nil {
		return Answer{Error: []byte(err.Error())}
	}
	done := make(chan Answer, 1)
	go func() {
		var out limited
		if err := t.Execute(&out, data(request.Numbers)); err != nil {
			done <- Answer{Error: []byte(err.Error())}
			return
		}
		done <- Answer{Output: out.Bytes()}
	}()
	select {
	case answer := <-done:
		return answer
	case <-time.After(20 * time.Second):
		return Answer{Error: []byte(errSlow.Error())}
	}
}
