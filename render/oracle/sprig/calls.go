package main

// Every function called with arguments of every sort, so that argument checks, conversions and
// panics are seen. The choice is fixed by a seed; sprig's random and time functions are left out.

import (
	"fmt"
	"math/rand"
	"reflect"
	"sort"
	"strings"

	"github.com/Masterminds/sprig/v3"
)

// What depends on chance, on the clock, on the machine, or takes seconds.
var skipped = map[string]bool{
	"now": true, "ago": true, "date": true, "dateInZone": true, "date_in_zone": true, "htmlDate": true,
	"htmlDateInZone": true, "durationRound": true, "randAlpha": true, "randAlphaNum": true, "randAscii": true,
	"randNumeric": true, "randBytes": true, "randInt": true, "shuffle": true, "uuidv4": true, "env": true,
	"expandenv": true, "getHostByName": true, "bcrypt": true, "htpasswd": true, "genPrivateKey": true,
	"genCA": true, "genCAWithKey": true, "genSelfSignedCert": true, "genSelfSignedCertWithKey": true,
	"genSignedCert": true, "genSignedCertWithKey": true, "encryptAES": true, "derivePassword": true,
	"keys": true, "values": true,
}

var pool = []string{
	`"a"`, `""`, `"a b"`, `"12"`, `"-3.50"`, `"Größe Straße"`, `"A-b_C d"`, `"x,y,z"`, `"/a/../b/c.d"`, `"["`,
	`"{\"a\":[1,null]}"`, `"1.2.3"`, `"^1.2"`, `"2h45m"`, `"2006-01-02"`, `"aGVsbG8="`, `"http://u:p@h:1/p?q#f"`,
	`0`, `1`, `-1`, `3`, `7`, `100`, `2.5`, `-0.5`, `true`, `false`, `nil`,
	`.j`, `.j.list`, `.j.map`, `.j.null`, `.j.n`, `.j.f`, `.missing`, `.i`, `.i64`, `.u8`, `.f32`, `.strs`, `.ints`,
	`.dicts`, `.nildict`, `.nillist`, `.bytes`, `.number`, `(list 1 2 3)`, `(list)`, `(list "b" "a" "a" nil)`,
	`(dict "a" 1 "b" (dict "c" 2))`, `(dict)`, `(until 4)`, `(splitList "," "p,q")`, `(semver "1.2.3")`, `(toDate "2006-01-02" "2020-02-29")`,
}

// An argument that a parameter of this type takes, most of the time.
func fitting(random *rand.Rand, wanted reflect.Type) string {
	from := func(words ...string) string { return words[random.Intn(len(words))] }
	if random.Intn(12) == 0 {
		return pool[random.Intn(len(pool))]
	}
	switch wanted.Kind() {
	case reflect.String:
		return pool[random.Intn(17)]
	case reflect.Int, reflect.Uint32:
		return from("0", "1", "2", "3", "5", "8", "-1", "-4", ".i")
	case reflect.Float64:
		return from("0.5", "1", "-2.5")
	case reflect.Bool:
		return from("true", "false", ".j.t")
	case reflect.Map:
		return from(".j", ".j.map", ".nildict", `(dict "a" 1 "b" (dict "c" 2))`, "(dict)", `(dict "b" (dict "c" "" "d" 3) "host" "h")`)
	case reflect.Struct:
		return `(toDate "2006-01-02" "2020-02-29")`
	}
	return pool[random.Intn(len(pool))]
}

func calls() []golden {
	random := rand.New(rand.NewSource(8))
	var names []string
	functions := sprig.TxtFuncMap()
	for name := range functions {
		if !skipped[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var results []golden
	for _, name := range names {
		seen := map[string]bool{}
		for round := 0; round < 60; round++ {
			words := []string{name}
			if round < 15 {
				for range random.Intn(4) {
					words = append(words, pool[random.Intn(len(pool))])
				}
			} else {
				of := reflect.TypeOf(functions[name])
				for index := range of.NumIn() {
					if of.IsVariadic() && index == of.NumIn()-1 {
						for range random.Intn(4) {
							words = append(words, fitting(random, of.In(index).Elem()))
						}
					} else {
						words = append(words, fitting(random, of.In(index)))
					}
				}
			}
			text := fmt.Sprintf("{{%s}}", strings.Join(words, " "))
			// A map that comes to hold itself ends Go's process when it is printed.
			if seen[text] || strings.Count(text, ".j") > 1 {
				continue
			}
			seen[text] = true
			result := run(text)
			// Of calls with the wrong number of arguments one is enough.
			if result.Err != nil && strings.Contains(*result.Err, "wrong number of args") {
				if seen["count"] {
					continue
				}
				seen["count"] = true
			}
			results = append(results, result)
		}
	}
	return results
}
