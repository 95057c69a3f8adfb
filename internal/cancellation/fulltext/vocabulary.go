package fulltext

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// vocabulary is all words of the catalogue, sorted. It serves as a trie: a node
// is the range of the words with one beginning.
type vocabulary []string

// span is a range of the vocabulary, whose words have their first depth bytes
// in common.
type span struct{ from, to, depth int }

func (s span) empty() bool { return s.from == s.to }

func (v vocabulary) all() span { return span{to: len(v)} }

// descend is the part of s whose words go on with rest.
func (v vocabulary) descend(s span, rest string) span {
	if rest == "" || s.empty() {
		return s
	}
	from := s.from + sort.Search(s.to-s.from, func(i int) bool { return v[s.from+i][s.depth:] >= rest })
	deeper := span{from: from, to: from, depth: s.depth + len(rest)}
	if from < s.to && strings.HasPrefix(v[from][s.depth:], rest) {
		deeper.to += sort.Search(s.to-from, func(i int) bool { return !strings.HasPrefix(v[from+i][s.depth:], rest) })
	}
	return deeper
}

// whole tells whether the beginning of s is a word by itself, which is then the
// first.
func (v vocabulary) whole(s span) bool { return !s.empty() && len(v[s.from]) == s.depth }

// children visits the parts of s by the letter that follows.
func (v vocabulary) children(s span, visit func(letter string, part span)) {
	if v.whole(s) {
		s.from++
	}
	for !s.empty() {
		rest := v[s.from][s.depth:]
		_, size := utf8.DecodeRuneInString(rest)
		part := v.descend(s, rest[:size])
		visit(rest[:size], part)
		s.from = part.to
	}
}

// nearly visits the words that begin with what typed is but for one letter: too
// many, missing, wrong, or in each other's place with its neighbour. Some are
// visited twice.
func (v vocabulary) nearly(typed string, visit func(span)) {
	found := func(s span) {
		if !s.empty() {
			visit(s)
		}
	}
	at := v.all() // the words that begin as typed does, up to rest
	for rest := typed; !at.empty(); {
		letter, after := cut(rest)
		found(v.descend(at, after))
		if next, behind := cut(after); next != "" && next != letter {
			found(v.descend(at, next+letter+behind))
		}
		v.children(at, func(other string, part span) {
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

// cut parts the first letter from the rest.
func cut(s string) (letter, rest string) {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}
