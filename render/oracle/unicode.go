package main

// Tables of the letters that Go's lexer and quoting know, written as Rust. They differ from Rust's
// own where the Unicode versions differ, and then Go's answer is the right one here.

import (
	"fmt"
	"io"
	"strconv"
	"unicode"
)

func ranges(w io.Writer, name, doc string, in func(rune) bool) {
	fmt.Fprintf(w, "\n/// %s\n#[rustfmt::skip]\npub(super) static %s: &[(u32, u32)] = &[\n", doc, name)
	start, column := rune(-1), 0
	for r := rune(0x80); r <= unicode.MaxRune+1; r++ {
		inside := r <= unicode.MaxRune && in(r)
		if inside && start < 0 {
			start = r
		}
		if !inside && start >= 0 {
			if column == 0 {
				fmt.Fprint(w, "    ")
			}
			fmt.Fprintf(w, "(%#x, %#x),", start, r-1)
			start = -1
			if column++; column == 6 {
				fmt.Fprintln(w)
				column = 0
			} else {
				fmt.Fprint(w, " ")
			}
		}
	}
	if column > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "];")
}

func writeUnicode(w io.Writer) {
	fmt.Fprintln(w, "//! Ranges of letters beyond ASCII, first and last included, as the oracle's Go knows them. Written by")
	fmt.Fprintln(w, "//! `cargo xtask oracle --write`; looked into by `unicode.rs`.")
	ranges(w, "PRINT", "What `strconv.IsPrint` holds for printable.", strconv.IsPrint)
	ranges(w, "WORD", "Letters and digits: what may stand in an identifier.", func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}
