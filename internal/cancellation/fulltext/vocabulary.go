package fulltext

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Vocabulary is an encoded list of unique words, sorted by their bytes. It serves as a trie
// whose nodes are ranges of words with a common prefix.
type Vocabulary struct {
	// starts has where each word begins in letters, and the end of the last.
	starts  numbers
	letters string
}

// Len returns the number of words.
func (v Vocabulary) Len() int { return max(v.starts.len()-1, 0) }

// Word returns the i-th word.
func (v Vocabulary) Word(i int) string {
	return part(v.letters, int(v.starts.at(i)), int(v.starts.at(i+1)))
}

// after returns the i-th word without its first bytes.
func (v Vocabulary) after(i, bytes int) string {
	w := v.Word(i)
	return w[min(bytes, len(w)):]
}

// Span is a range of words with a common prefix: from index From up to, but not
// including, To. The prefix has Depth bytes.
type Span struct{ From, To, Depth int }

// Empty reports whether the span has no words.
func (s Span) Empty() bool { return s.From == s.To }

// WithPrefix returns the words with a prefix.
func (v Vocabulary) WithPrefix(prefix string) Span { return v.descend(v.all(), prefix) }

// Prefix returns the common prefix of a span, which must not be empty.
func (v Vocabulary) Prefix(s Span) string { return part(v.Word(s.From), 0, s.Depth) }

// IsWord reports whether the prefix of a span is a word itself. It is then the span's
// first word.
func (v Vocabulary) IsWord(s Span) bool { return !s.Empty() && len(v.Word(s.From)) == s.Depth }

// WithTypo visits the words with a prefix that differs from typed by one typo: an extra,
// missing or wrong letter, or two adjacent letters swapped. It may visit a span more
// than once, and may visit the words with the prefix typed itself. No span is empty.
func (v Vocabulary) WithTypo(typed string, visit func(Span)) {
	found := func(s Span) {
		if !s.Empty() {
			visit(s)
		}
	}
	at := v.all() // the words that begin like typed, up to rest
	for rest := typed; !at.Empty(); {
		letter, after := cut(rest)
		found(v.descend(at, after))
		if next, remaining := cut(after); next != "" && next != letter {
			found(v.descend(at, next+letter+remaining))
		}
		v.children(at, func(other string, part Span) {
			found(v.descend(part, rest))
			if other != letter {
				found(v.descend(part, after))
			}
		})
		if rest == "" {
			return
		}
		at, rest = v.descend(at, letter), after
	}
}

func (v Vocabulary) all() Span { return Span{To: v.Len()} }

// descend returns the part of s whose words continue with rest.
func (v Vocabulary) descend(s Span, rest string) Span {
	if rest == "" || s.Empty() {
		return s
	}
	from := s.From + sort.Search(s.To-s.From, func(i int) bool { return v.after(s.From+i, s.Depth) >= rest })
	deeper := Span{From: from, To: from, Depth: s.Depth + len(rest)}
	if from < s.To && strings.HasPrefix(v.after(from, s.Depth), rest) {
		deeper.To += sort.Search(s.To-from, func(i int) bool { return !strings.HasPrefix(v.after(from+i, s.Depth), rest) })
	}
	return deeper
}

// children visits the parts of s, one for each letter that follows the prefix.
func (v Vocabulary) children(s Span, visit func(letter string, part Span)) {
	if v.IsWord(s) {
		s.From++
	}
	for !s.Empty() {
		letter, _ := cut(v.after(s.From, s.Depth))
		part := v.descend(s, letter)
		visit(letter, part)
		s.From = max(part.To, s.From+1)
	}
}

// cut splits off the first letter.
func cut(s string) (letter, rest string) {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}
