package fulltext

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// List is words, sorted by their bytes and none twice. It serves as a trie: a
// node is the range of the words with one beginning.
type List []string

// Span is the words of a list with one beginning: from the word From up to but
// not including To. The beginning has Depth bytes.
type Span struct{ From, To, Depth int }

// Empty tells that there is no such word.
func (s Span) Empty() bool { return s.From == s.To }

// Prefixed are the words that begin so.
func (l List) Prefixed(beginning string) Span { return l.descend(l.all(), beginning) }

// Beginning is what the words of a span, which is not empty, have in common.
func (l List) Beginning(s Span) string { return l[s.From][:s.Depth] }

// Whole tells whether the beginning of a span is a word by itself, which is then
// the first.
func (l List) Whole(s Span) bool { return !s.Empty() && len(l[s.From]) == s.Depth }

// Nearly visits the words that begin with what typed is but for one letter: too
// many, missing, wrong, or in each other's place with its neighbour. Some are
// visited twice, those that begin with typed itself among them. No span is empty.
func (l List) Nearly(typed string, visit func(Span)) {
	found := func(s Span) {
		if !s.Empty() {
			visit(s)
		}
	}
	at := l.all() // the words that begin as typed does, up to rest
	for rest := typed; !at.Empty(); {
		letter, after := cut(rest)
		found(l.descend(at, after))
		if next, behind := cut(after); next != "" && next != letter {
			found(l.descend(at, next+letter+behind))
		}
		l.children(at, func(other string, part Span) {
			found(l.descend(part, rest))
			if other != letter {
				found(l.descend(part, after))
			}
		})
		if rest == "" {
			return
		}
		at, rest = l.descend(at, letter), after
	}
}

func (l List) all() Span { return Span{To: len(l)} }

// descend is the part of s whose words go on with rest.
func (l List) descend(s Span, rest string) Span {
	if rest == "" || s.Empty() {
		return s
	}
	from := s.From + sort.Search(s.To-s.From, func(i int) bool { return l[s.From+i][s.Depth:] >= rest })
	deeper := Span{From: from, To: from, Depth: s.Depth + len(rest)}
	if from < s.To && strings.HasPrefix(l[from][s.Depth:], rest) {
		deeper.To += sort.Search(s.To-from, func(i int) bool { return !strings.HasPrefix(l[from+i][s.Depth:], rest) })
	}
	return deeper
}

// children visits the parts of s by the letter that follows.
func (l List) children(s Span, visit func(letter string, part Span)) {
	if l.Whole(s) {
		s.From++
	}
	for !s.Empty() {
		letter, _ := cut(l[s.From][s.Depth:])
		part := l.descend(s, letter)
		visit(letter, part)
		s.From = part.To
	}
}

// cut parts the first letter from the rest.
func cut(s string) (letter, rest string) {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}
