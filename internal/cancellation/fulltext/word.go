package fulltext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

// Word is a word of a name or query in the two forms used for comparison.
type Word struct {
	// Plain has no case or accents, and one letter for an umlaut in any spelling:
	// Müller, Mueller and Muller are "muller".
	Plain string
	// Long has two letters for an umlaut: "mueller". Only in this form does a typo in
	// one of the two count as a single typo.
	Long string
}

// Words splits text into words. Words consist of letters and digits; everything else
// separates them. A Chinese character is a word of its own.
func Words(text string) []Word {
	var all []Word
	var t Tokenizer
	t.Each(text, func(plain, long []byte) {
		w := Word{Plain: string(plain)}
		w.Long = w.Plain
		if !bytes.Equal(plain, long) {
			w.Long = string(long)
		}
		all = append(all, w)
	})
	return all
}

// Tokenizer splits texts into words. The zero value is ready to use. It reuses its
// buffers.
type Tokenizer struct {
	visit       func(plain, long []byte)
	plain, long []byte
	// vowel is the last letter if it may begin a digraph, otherwise 0.
	vowel byte
}

// Each visits the words of text in both forms. The slices are valid until the next
// word.
func (t *Tokenizer) Each(text string, visit func(plain, long []byte)) {
	t.visit = visit
	for _, r := range norm.NFC.String(text) {
		t.add(unicode.ToLower(r))
	}
	t.end()
}

// EachJoined visits parts of text that contain signs but no space, such as E.ON and
// 1&1, as one word each, because people also type them that way.
func (t *Tokenizer) EachJoined(text string, visit func(plain, long []byte)) {
	for part := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(part, separates) {
			t.Each(strings.Map(dropSigns, part), visit)
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

// add processes the next character, which is in lower case and composed.
func (t *Tokenizer) add(r rune) {
	if r < utf8.RuneSelf {
		t.ascii(byte(r))
		return
	}
	if plain, long := spelling(r); plain != "" {
		t.plain, t.long, t.vowel = append(t.plain, plain...), append(t.long, long...), 0
		return
	}
	parts := norm.NFKD.PropertiesString(string(r)).Decomposition()
	if parts == nil {
		t.nonASCII(r)
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		parts = parts[size:]
		if part = unicode.ToLower(part); part < utf8.RuneSelf {
			t.ascii(byte(part))
		} else {
			t.nonASCII(part)
		}
	}
}

// ascii processes an ASCII character. The plain form leaves out the second letter of a
// digraph (ae, oe, ue, aa).
func (t *Tokenizer) ascii(b byte) {
	switch {
	case b == 'e' && t.vowel != 0, b == 'a' && t.vowel == 'a':
		t.long, t.vowel = append(t.long, b), 0
		return
	case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
		t.plain, t.long = append(t.plain, b), append(t.long, b)
	default:
		t.end()
	}
	t.vowel = 0
	if b == 'a' || b == 'o' || b == 'u' {
		t.vowel = b
	}
}

// nonASCII processes any other character that cannot be decomposed.
func (t *Tokenizer) nonASCII(r rune) {
	switch {
	case unicode.Is(unicode.M, r): // drop accents
	case separates(r):
		t.end()
	case unicode.Is(unicode.Han, r):
		t.end()
		t.letter(r)
		t.end()
	default:
		t.letter(r)
	}
}

func (t *Tokenizer) letter(r rune) {
	t.plain, t.long, t.vowel = utf8.AppendRune(t.plain, r), utf8.AppendRune(t.long, r), 0
}

func (t *Tokenizer) end() {
	if len(t.plain) == 0 {
		return
	}
	t.visit(t.plain, t.long)
	t.plain, t.long, t.vowel = t.plain[:0], t.long[:0], 0
}

// spelling returns how people without a letter on their keyboard write it, in one letter
// and in two. Both are empty for letters that only lose their accents.
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
