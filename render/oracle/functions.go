package main

import (
	"errors"
	"strings"
	"text/template"
)

// Functions with every sort of parameter; tests/it/world.rs has the same.
var functions = template.FuncMap{
	"upper":    strings.ToUpper,
	"repeat":   func(n int, s string) string { return strings.Repeat(s, max(0, min(n, 20))) },
	"add":      func(numbers ...int) int { return sum(numbers) },
	"add64":    func(a, b int64) int64 { return a + b },
	"half":     func(x float64) float64 { return x / 2 },
	"both":     func(a, b bool) bool { return a && b },
	"unsigned": func(n uint64) uint64 { return n },
	"small":    func(n int8) int8 { return n },
	"list":     func(items ...any) []any { return exact(items).([]any) },
	"strs":     func(items ...string) []string { return append(make([]string, 0, len(items)), items...) },
	"count":    func(m map[string]any) int { return len(m) },
	"first": func(items []any) any {
		if len(items) == 0 {
			return nil
		}
		return items[0]
	},
	"same":    func(x any) any { return x },
	"nothing": func() any { return nil },
	"nomap":   func() map[string]any { return nil },
	"fail":    func(text string) (string, error) { return "", errors.New(text) },
	"panics":  func(text string) string { panic(text) },
	"adder":   func(a int) func(int) int { return func(b int) int { return a + b } },
	"fns":     fns,
	"dict":    dict,
	"set":     func(m map[string]any, key string, value any) map[string]any { m[key] = value; return m },
	"thing":   func() *Thing { return &Thing{Name: "made", Tags: []string{}} },
	"version": func(major, minor int) Version { return Version{major, minor} },
	"values":  func(m map[string]any) Values { return m },
	"opt":     func(a string, rest ...any) int { return len(rest) },
}

func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, errors.New("odd number of arguments")
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		key, ok := pairs[i].(string)
		if !ok {
			return nil, errors.New("key is not a string")
		}
		m[key] = pairs[i+1]
	}
	return m, nil
}
