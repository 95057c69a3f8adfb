package fulltext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

// Word is a word of a name or query in the forms under which it is compared.
type Word struct {
	// Plain is without case and accents, and with one letter for an umlaut in
	// any spelling: Müller, Mueller and Muller are "muller".
	Plain string
	// Long has two letters for an umlaut: "mueller". A typo in one of the two
	// is a single typo in this form only.
	Long string
}

// Words cuts text into words. Letters and digits make words, all else separates
// them; a Chinese character is a word by itself.
func Words(text string) []Word {
	var all []Word
	var c Cutter
	c.Each(text, func(plain, long []byte) {
		w := Word{Plain: string(plain)}
		w.Long = w.Plain
		if !bytes.Equal(plain, long) {
			w.Long = string(long)
		}
		all = append(all, w)
	})
	return all
}

// Cutter cuts texts into words, one after the other. Its zero value is ready.
type Cutter struct {
	see         func(plain, long []byte)
	plain, long []byte
	// vowel is the last letter when it may begin a digraph, else 0.
	vowel byte
}

// Each visits the words of text in both forms, which are good until the next
// word.
func (c *Cutter) Each(text string, see func(plain, long []byte)) {
	c.see = see
	for _, r := range norm.NFC.String(text) {
		c.add(unicode.ToLower(r))
	}
	c.end()
}

// EachJoined visits the parts of text that hold signs but no space, such as E.ON
// and 1&1, as people also write them: in one word.
func (c *Cutter) EachJoined(text string, see func(plain, long []byte)) {
	for part := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(part, separates) {
			c.Each(strings.Map(dropSigns, part), see)
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
func (c *Cutter) add(r rune) {
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
func (c *Cutter) ascii(b byte) {
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
func (c *Cutter) wide(r rune) {
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

func (c *Cutter) letter(r rune) {
	c.plain, c.long, c.vowel = utf8.AppendRune(c.plain, r), utf8.AppendRune(c.long, r), 0
}

func (c *Cutter) end() {
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
	case 'ä':
		return "a", "ae"
	case 'å':
		return "a", "aa"
	case 'ö':
		return "o", "oe"
	case 'ü':
		return "u", "ue"
	default:
		return textfold.Letter(r)
	}
}
