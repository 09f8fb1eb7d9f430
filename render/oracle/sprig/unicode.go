package main

// Tables of Go's unicode package as Rust, for `unicode.rs` of the crate.

import (
	"fmt"
	"io"
	"unicode"
)

func writeTable(w io.Writer, name, doc string, table *unicode.RangeTable) {
	fmt.Fprintf(w, "\n/// %s\n#[rustfmt::skip]\npub(super) static %s: &[(u32, u32, u32)] = &[\n", doc, name)
	column := 0
	put := func(lo, hi, stride uint32) {
		if column == 0 {
			fmt.Fprint(w, "    ")
		} else {
			fmt.Fprint(w, " ")
		}
		fmt.Fprintf(w, "(%#x, %#x, %d),", lo, hi, stride)
		if column++; column == 4 {
			fmt.Fprintln(w)
			column = 0
		}
	}
	for _, r := range table.R16 {
		put(uint32(r.Lo), uint32(r.Hi), uint32(r.Stride))
	}
	for _, r := range table.R32 {
		put(r.Lo, r.Hi, r.Stride)
	}
	if column > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "];")
}

func writeUnicode(w io.Writer) {
	fmt.Fprintf(w, "//! Unicode %s as the oracle's Go knows it: classes as first, last and distance; case mappings as\n", unicode.Version)
	fmt.Fprintln(w, "//! first, last and what to add for upper, lower and title case. Written by the oracle in")
	fmt.Fprintln(w, "//! `render/oracle/sprig`; looked into by `unicode.rs`.")
	writeTable(w, "UPPER", "Upper case letters.", unicode.Upper)
	writeTable(w, "LOWER", "Lower case letters.", unicode.Lower)
	writeTable(w, "TITLE", "Title case letters.", unicode.Title)
	writeTable(w, "LETTER", "Letters.", unicode.Letter)
	writeTable(w, "DIGIT", "Decimal digits.", unicode.Digit)
	writeTable(w, "NUMBER", "Digits and other numbers.", unicode.Number)
	writeTable(w, "PUNCT", "Punctuation.", unicode.Punct)
	fmt.Fprint(w, "\n/// Case mappings.\n#[rustfmt::skip]\npub(super) static CASES: &[(u32, u32, (i32, i32, i32))] = &[\n")
	for _, r := range unicode.CaseRanges {
		fmt.Fprintf(w, "    (%#x, %#x, (%d, %d, %d)),\n", r.Lo, r.Hi, r.Delta[0], r.Delta[1], r.Delta[2])
	}
	fmt.Fprintln(w, "];")
}
