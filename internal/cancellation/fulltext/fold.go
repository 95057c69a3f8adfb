package fulltext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is a word of a name or query in the forms under which it is compared.
type word struct {
	// plain is without case and accents, and with one letter for an umlaut in
	// any spelling: Müller, Mueller and Muller are "muller".
	plain string
	// long has two letters for an umlaut: "mueller". A typo in one of the two
	// is a single typo in this form only.
	long string
}

// words cuts text into words. Letters and digits make words, all else separates
// them; a Chinese character is a word by itself.
func words(text string) []word {
	var c cutter
	for _, r := range norm.NFC.String(text) {
		c.add(unicode.ToLower(r))
	}
	c.end()
	return c.words
}

// joined are the parts of text that hold signs but no space, such as E.ON and
// 1&1, as people also write them: in one word.
func joined(text string) []word {
	var all []word
	for part := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(part, separates) {
			all = append(all, words(strings.Map(dropSigns, part))...)
		}
	}
	return all
}

func separates(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }

func dropSigns(r rune) rune {
	if separates(r) {
		return -1
	}
	return r
}

// cutter collects the letters of one word after the other.
type cutter struct {
	words       []word
	plain, long []byte
	// vowel is the last letter when it may begin a digraph, else 0.
	vowel byte
}

// add takes the next character, in lower case and composed.
func (c *cutter) add(r rune) {
	if r < utf8.RuneSelf {
		c.ascii(byte(r))
		return
	}
	if plain, long := spelling(r); plain != "" {
		c.plain, c.long, c.vowel = append(c.plain, plain...), append(c.long, long...), 0
		return
	}
	for _, part := range norm.NFKD.String(string(r)) {
		switch part = unicode.ToLower(part); {
		case part < utf8.RuneSelf:
			c.ascii(byte(part))
		case unicode.Is(unicode.M, part): // accents go
		case unicode.Is(unicode.Han, part):
			c.end()
			c.wide(part)
			c.end()
		case !separates(part):
			c.wide(part)
		default:
			c.end()
		}
	}
}

// ascii takes a letter, a digit or a sign. The second letter of a digraph (ae,
// oe, ue, aa) is left out of the plain form.
func (c *cutter) ascii(b byte) {
	switch {
	case b == 'e' && c.vowel != 0, b == 'a' && c.vowel == 'a':
		c.long, c.vowel = append(c.long, b), 0
		return
	case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
		c.plain, c.long = append(c.plain, b), append(c.long, b)
	default:
		c.end()
	}
	c.vowel = 0
	if b == 'a' || b == 'o' || b == 'u' {
		c.vowel = b
	}
}

func (c *cutter) wide(r rune) {
	c.plain, c.long, c.vowel = utf8.AppendRune(c.plain, r), utf8.AppendRune(c.long, r), 0
}

func (c *cutter) end() {
	if len(c.plain) == 0 {
		return
	}
	w := word{plain: string(c.plain)}
	w.long = w.plain
	if !bytes.Equal(c.plain, c.long) {
		w.long = string(c.long)
	}
	c.words = append(c.words, w)
	c.plain, c.long, c.vowel = c.plain[:0], c.long[:0], 0
}

// spelling is how letters are written by those who don't have them, in one
// letter and in two; empty for those that merely lose their accents.
func spelling(r rune) (plain, long string) {
	switch r {
	case 'ä', 'æ':
		return "a", "ae"
	case 'å':
		return "a", "aa"
	case 'ö', 'ø', 'œ':
		return "o", "oe"
	case 'ü':
		return "u", "ue"
	case 'ß':
		return "ss", "ss"
	case 'ł':
		return "l", "l"
	case 'đ', 'ð':
		return "d", "d"
	case 'þ':
		return "th", "th"
	case 'ı':
		return "i", "i"
	case 'ς':
		return "σ", "σ"
	default:
		return "", ""
	}
}
