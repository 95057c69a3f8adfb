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
	var all []word
	var c cutter
	c.each(text, func(plain, long []byte) {
		w := word{plain: string(plain)}
		w.long = w.plain
		if !bytes.Equal(plain, long) {
			w.long = string(long)
		}
		all = append(all, w)
	})
	return all
}

// cutter cuts texts into words, one after the other.
type cutter struct {
	see         func(plain, long []byte)
	plain, long []byte
	// vowel is the last letter when it may begin a digraph, else 0.
	vowel byte
}

// each visits the words of text in both forms, which are good until the next
// word.
func (c *cutter) each(text string, see func(plain, long []byte)) {
	c.see = see
	for _, r := range norm.NFC.String(text) {
		c.add(unicode.ToLower(r))
	}
	c.end()
}

// eachJoined visits the parts of text that hold signs but no space, such as E.ON
// and 1&1, as people also write them: in one word.
func (c *cutter) eachJoined(text string, see func(plain, long []byte)) {
	for part := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(part, separates) {
			c.each(strings.Map(dropSigns, part), see)
		}
	}
}

func separates(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }

func dropSigns(r rune) rune {
	if separates(r) {
		return -1
	}
	return r
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
	apart := norm.NFKD.PropertiesString(string(r)).Decomposition()
	if apart == nil {
		c.wide(r)
	}
	for len(apart) > 0 {
		part, size := utf8.DecodeRune(apart)
		apart = apart[size:]
		if part = unicode.ToLower(part); part < utf8.RuneSelf {
			c.ascii(byte(part))
		} else {
			c.wide(part)
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

// wide takes any other character that can't be taken apart.
func (c *cutter) wide(r rune) {
	switch {
	case unicode.Is(unicode.M, r): // accents go
	case separates(r):
		c.end()
	case unicode.Is(unicode.Han, r):
		c.end()
		c.letter(r)
		c.end()
	default:
		c.letter(r)
	}
}

func (c *cutter) letter(r rune) {
	c.plain, c.long, c.vowel = utf8.AppendRune(c.plain, r), utf8.AppendRune(c.long, r), 0
}

func (c *cutter) end() {
	if len(c.plain) == 0 {
		return
	}
	c.see(c.plain, c.long)
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
