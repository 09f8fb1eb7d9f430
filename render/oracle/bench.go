package main

import (
	"bytes"
	"time"
)

// Nanoseconds of one parse and of one execution.
type Timing struct {
	Parse   float64 `json:"parse"`
	Execute float64 `json:"execute"`
	Output  []byte  `json:"output"`
	Error   []byte  `json:"error"`
}

func bench(request Request) Timing {
	data := decode(request.Data, request.Numbers)
	t, err := parse(request)
	if err != nil {
		return Timing{Error: []byte(err.Error())}
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return Timing{Error: []byte(err.Error())}
	}
	result := Timing{Output: bytes.Clone(out.Bytes())}
	start := time.Now()
	for range request.Rounds {
		parse(request)
	}
	result.Parse = float64(time.Since(start).Nanoseconds()) / float64(request.Rounds)
	start = time.Now()
	for range request.Rounds {
		out.Reset()
		t.Execute(&out, data)
	}
	result.Execute = float64(time.Since(start).Nanoseconds()) / float64(request.Rounds)
	return result
}
