package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// The part of the data that comes from JSON; tests/it/world.rs has the same text.
const plain = `{
  "name": "demo", "empty": "", "uni": "héllo wörld ☃", "html": "<a href=\"x\">'&'</a>", "multi": "a\nb\tc",
  "zero": 0, "one": 1, "n": 42, "neg": -7, "big": 123456789, "huge": 1e21, "frac": 2.5, "tiny": 1e-7,
  "yes": true, "no": false, "nil": null,
  "list": [1, "two", 3.5, true, null], "strings": ["b", "a", "c"], "nums": [3, 1, 2], "nolist": [],
  "map": {"b": 2, "a": 1, "c": {"d": "deep", "list": [10, 20]}}, "nomap": {}, "mapnil": {"x": null},
  "users": [{"name": "ann", "age": 31, "tags": ["x", "y"]}, {"name": "bob", "age": 25, "tags": []}],
  "key": "a", "idx": 1
}`

// Thing is a struct without a String method, used behind a pointer.
type Thing struct {
	Name   string
	Count  int
	Tags   []string
	Extra  any
	Next   *Thing
	hidden int
}

func (t *Thing) Greet(who string) string      { return "hello " + who + " from " + t.Name }
func (t *Thing) Sum(numbers ...int) int       { return sum(numbers) + t.Count }
func (t *Thing) Fail() (string, error)        { return "", errors.New("thing failed") }
func (t *Thing) Panics() string               { panic("thing panicked") }
func (t *Thing) Any() any                     { return nil }
func (t *Thing) Pair(a int, b float64) string { return fmt.Sprint(a, b) }

// Version is a struct with a String method.
type Version struct {
	Major, Minor int
}

func (v Version) String() string          { return fmt.Sprintf("v%d.%d", v.Major, v.Minor) }
func (v Version) Less(other Version) bool { return v.Major < other.Major }
func (v Version) Add(n int) Version       { return Version{v.Major + n, v.Minor} }

// Values is a named map with a method.
type Values map[string]any

func (v Values) Get(key string) any  { return v[key] }
func (v Values) Has(key string) bool { _, ok := v[key]; return ok }

// Names is a named slice with a method.
type Names []string

func (n Names) Has(name string) bool {
	for _, own := range n {
		if own == name {
			return true
		}
	}
	return false
}

// Level is a named integer with a String method, Word a named string without one.
type Level int64

func (l Level) String() string { return fmt.Sprintf("level-%d", int64(l)) }

type Word string

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// exact gives slices no more capacity than length: how append grows them is Go's own affair.
func exact(value any) any {
	switch value := value.(type) {
	case []any:
		copied := make([]any, len(value))
		for i, item := range value {
			copied[i] = exact(item)
		}
		return copied
	case map[string]any:
		for key, item := range value {
			value[key] = exact(item)
		}
	}
	return value
}

func integers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		x, _ := value.Float64()
		return x
	case []any:
		for i, item := range value {
			value[i] = integers(item)
		}
	case map[string]any:
		for key, item := range value {
			value[key] = integers(item)
		}
	}
	return value
}

func decode(text, numbers string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	if numbers == "int64" {
		decoder.UseNumber()
	}
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	if numbers == "int64" {
		value = integers(value)
	}
	return exact(value)
}

func data(numbers string) any {
	root := decode(plain, numbers).(map[string]any)
	root["i"] = 42
	root["i8"] = int8(-8)
	root["i16"] = int16(1600)
	root["i32"] = int32(-32000)
	root["i64"] = int64(1) << 40
	root["u"] = uint(7)
	root["u8"] = uint8(200)
	root["u16"] = uint16(65535)
	root["u32"] = uint32(1 << 31)
	root["u64"] = uint64(math.MaxUint64)
	root["f32"] = float32(0.1)
	root["inf"] = math.Inf(-1)
	root["nan"] = math.NaN()
	root["cplx"] = complex(1.5, -2)
	root["raw"] = "a\xffb"
	root["strs"] = []string{"x", "y", "z"}
	root["ints"] = []int{5, 6, 7, 8}
	root["bytes"] = []byte("hi\x00")
	root["ms"] = map[string]string{"k": "v", "j": "w"}
	root["mi"] = map[string]int{"one": 1, "two": 2}
	root["ver"] = Version{1, 2}
	root["vals"] = Values{"a": 1, "b": "x"}
	root["names"] = Names{"n1", "n2"}
	root["level"] = Level(4)
	root["word"] = Word("wd")
	root["jnum"] = json.Number("12.50")
	root["nilmap"] = map[string]any(nil)
	root["nilstrs"] = []string(nil)
	root["nilobj"] = (*Thing)(nil)
	return root
}

// fns are what prints as an address: reached through a function, not part of the data.
func fns() map[string]any {
	root := map[string]any{}
	root["fn"] = func(n int) int { return n * 2 }
	root["join"] = func(sep string, words ...string) (string, error) { return strings.Join(words, sep), nil }
	root["obj"] = &Thing{Name: "thing", Count: 3, Tags: []string{"p", "q"}, Extra: map[string]any{"e": 1}}
	return root
}
