package enrich

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Banks convert text between character sets and damage it. They write a question mark for a letter that a set lacks
// ("B?ckerei"), or read UTF-8 as Windows-1252 ("BÃ¤ckerei").

const (
	// lost is the placeholder for a lost letter.
	lost = '?'
	// maxLost is the maximum number of lost letters to restore in a word, and maxRestored the maximum number of words
	// per row. Each lost letter multiplies the lookups.
	maxLost     = 2
	maxRestored = 8
	// lostLetters are the letters that can have accents.
	lostLetters = "aeiouycdglnrstz"
)

// decode returns the first letter of s, and its size. If UTF-8 was read as Windows-1252, two characters stand for one
// European letter. decode undoes that.
func decode(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case 'Ã', 'Ä', 'Å', 'Î', 'Ï', 'Ð', 'Ñ':
		next, more := utf8.DecodeRuneInString(s[size:])
		b, ok := charmap.Windows1252.EncodeRune(next)
		if next >= 0x80 && next < 0xa0 { // some banks leave these unchanged
			b, ok = byte(next), true
		}
		if ok && b >= 0x80 && b < 0xc0 {
			return (r&0x1f)<<6 | rune(b&0x3f), size + more
		}
	}
	return r, size
}

// lostLetter adds a lost letter. A question mark that is not next to letters only separates words.
func (c *cutter) lostLetter(rest string) {
	inside := c.t.n > c.start && c.letters > 0
	if c.known == nil || !inside && (rest == "" || !isLetter(rest[0])) {
		c.end(' ')
		return
	}
	if c.t.n < maxBytes { // the rest is not read
		c.plain(lost)
		c.lost++
	}
}

// restore restores the letters with which the longest part of the word is known. It reports whether it found any.
func (c *cutter) restore() bool {
	word := c.t.buf[c.start:c.t.n]
	first, end := bytes.IndexByte(word, lost), len(word)-1
	if c.lost > maxLost || c.t.restored == maxRestored || first == end && c.known.letters(word[:end]) == end {
		return false // too many, or a real question mark
	}
	c.t.restored++
	best, known := c.known.fill(word)
	if known > first {
		copy(word, best)
	}
	return known > first
}

// fill tries letters for the lost ones of a word. It returns the word of which most is known, and how much that is.
func (r *rules) fill(word []byte) (best string, known int) {
	at := bytes.IndexByte(word, lost)
	if at < 0 {
		return string(word), r.letters(word)
	}
	for _, b := range []byte(lostLetters) {
		word[at] = b
		if filled, n := r.fill(word); n > known {
			best, known = filled, n
		}
	}
	word[at] = lost
	return best, known
}

// split splits a word at its lost letters.
func (c *cutter) split() {
	word := string(c.t.buf[c.start:c.t.n])
	c.t.n, c.letters, c.digits, c.lost = c.start, 0, 0, 0
	for part := range strings.SplitSeq(word, string(lost)) {
		for _, b := range []byte(part) {
			if b >= '0' && b <= '9' {
				c.digit(b)
			} else {
				c.plain(b)
			}
		}
		if c.t.n > c.start {
			c.take(lost)
		}
	}
}

// letters returns how many letters of a word are known: all of them, those of a stem, or none.
func (r *rules) letters(word []byte) int {
	if r.heads[string(word)] != nil {
		return len(word)
	}
	for end := len(word); end >= minStem; end-- {
		if r.prefixes[string(word[:end])] != nil {
			return end
		}
	}
	return 0
}
