package enrich

import (
	"bytes"
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
		if b, ok := windows1252(next); ok {
			return (r&0x1f)<<6 | rune(b&0x3f), size + more
		}
	}
	return r, size
}

// windows1252 returns the byte of a character that can continue a UTF-8 letter. Some banks leave the characters 0x80
// to 0x9f unchanged.
func windows1252(r rune) (byte, bool) {
	if r >= 0x80 && r < 0xa0 {
		return byte(r), true
	}
	b, ok := charmap.Windows1252.EncodeRune(r)
	return b, ok && b >= 0x80 && b < 0xc0
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
	if c.lost > maxLost || c.t.restored == maxRestored {
		return false
	}
	c.t.restored++
	word := c.t.buf[c.start:c.t.n]
	if end := len(word) - 1; c.lost == 1 && word[end] == lost && c.known.letters(word[:end]) == end {
		return false // it is a real question mark
	}
	var best [maxLost]byte
	top := 0
	first := bytes.IndexByte(word, lost)
	second := first + 1 + bytes.IndexByte(word[first+1:], lost)
	others := []byte(lostLetters)
	if second == first {
		others = others[:1]
	}
	for _, a := range []byte(lostLetters) {
		for _, b := range others {
			word[second], word[first] = b, a // in this order, because both may be the same position
			if n := c.known.letters(word); n > top {
				best, top = [maxLost]byte{a, b}, n
			}
		}
	}
	if top <= first {
		best = [maxLost]byte{lost, lost}
	}
	word[second], word[first] = best[1], best[0]
	return top > first
}

// split splits a word at its lost letters.
func (c *cutter) split() {
	word := string(c.t.buf[c.start:c.t.n])
	c.t.n, c.letters, c.digits, c.lost = c.start, 0, 0, 0
	for i := range len(word) {
		switch b := word[i]; {
		case b != lost && b >= '0' && b <= '9':
			c.digit(b)
		case b != lost:
			c.plain(b)
		case c.t.n > c.start:
			c.take(lost)
		}
	}
	if c.t.n > c.start {
		c.take(lost)
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
