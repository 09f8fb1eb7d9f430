package main

// Every function called with arguments of every sort, so that argument checks, conversions and
// panics are seen. The choice is fixed by a seed; sprig's random and time functions are left out.

import (
	"fmt"
	"math/rand"
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

func calls() []golden {
	random := rand.New(rand.NewSource(8))
	var names []string
	for name := range sprig.TxtFuncMap() {
		if !skipped[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var results []golden
	for _, name := range names {
		seen := map[string]bool{}
		for round := 0; round < 60; round++ {
			count := random.Intn(4)
			if round > 30 {
				// Where a call with so many arguments went well, others will.
				count = 1 + random.Intn(3)
			}
			words := []string{name}
			for range count {
				words = append(words, pool[random.Intn(len(pool))])
			}
			text := fmt.Sprintf("{{%s}}", strings.Join(words, " "))
			if seen[text] {
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
