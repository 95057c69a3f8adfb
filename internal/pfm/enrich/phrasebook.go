package enrich

import (
	"slices"
	"strings"
)

// kind is the kind of a phrase.
type kind uint8

const (
	kindMerchant kind = iota
	kindKeyword
	kindCue
)

// known is a phrase in the book, without its first word.
type known struct {
	rest    []string
	kind    kind
	letters uint8
	// id is the ID of the merchant or the keyword, or the flags of a cue.
	id uint32
}

// entry holds all phrases that begin with one word.
type entry struct {
	flags   wordFlags
	phrases []known
}

// phraseBook collects every known phrase by its first word.
type phraseBook struct {
	heads map[string]*entry
	// prefixes holds stems like "apothek*", suffixes stems like "*bakkerij".
	prefixes, suffixes stems
}

func newPhraseBook() *phraseBook { return &phraseBook{heads: map[string]*entry{}} }

// joinLength is the minimum number of letters with which a phrase is also recognised
// as one word ("mediamarkt" for "media markt").
const joinLength = 6

func (b *phraseBook) add(words []string, k kind, id uint32) {
	if len(words) == 0 {
		return
	}
	var joined strings.Builder
	for _, w := range words {
		joined.WriteString(w)
	}
	p := known{rest: words[1:], kind: k, letters: uint8(min(len(joined.String()), 255)), id: id}
	b.put(words[0], p)
	if len(words) > 1 && len(joined.String()) >= joinLength {
		p.rest = nil
		b.put(joined.String(), p)
	}
}

func (b *phraseBook) put(first string, p known) {
	h := b.head(first)
	for _, other := range h.phrases {
		if other.kind == p.kind && other.id == p.id && slices.Equal(other.rest, p.rest) {
			return
		}
	}
	h.phrases = append(h.phrases, p)
}

func (b *phraseBook) head(first string) *entry {
	h := b.heads[first]
	if h == nil {
		h = &entry{}
		b.heads[first] = h
	}
	return h
}

// flag marks a word. A cue of several words ("apple pay") is a phrase, so that its
// words are not mistaken for a merchant.
func (b *phraseBook) flag(words []string, f wordFlags) {
	if len(words) == 1 {
		b.head(words[0]).flags |= f
		return
	}
	b.add(words, kindCue, uint32(f))
}

// minStem is the length of the shortest stem.
const minStem = 4

// stems is a tree of letters. Node 0 is its root.
type stems struct {
	nodes []stemNode
	heads map[int32]*entry
}

type stemNode struct{ next [26]uint16 }

// at returns the entry of a stem, which it adds if there is none.
func (s *stems) at(letters func(func(byte) bool)) *entry {
	if len(s.nodes) == 0 {
		s.nodes, s.heads = make([]stemNode, 1), make(map[int32]*entry)
	}
	at := int32(0)
	for b := range letters {
		to := s.nodes[at].next[b-'a']
		if to == 0 {
			to = uint16(len(s.nodes))
			s.nodes = append(s.nodes, stemNode{})
			s.nodes[at].next[b-'a'] = to
		}
		at = int32(to)
	}
	if s.heads[at] == nil {
		s.heads[at] = &entry{}
	}
	return s.heads[at]
}

// stem returns the entry of a stem: "apothek*" begins a word, "*bakkerij" ends one.
// It returns nil if the phrase is not written as a stem, is too short, or has other
// characters than plain letters.
func (b *phraseBook) stem(written, folded string) *entry {
	if len(folded) < minStem {
		return nil
	}
	for i := range len(folded) {
		if folded[i] < 'a' || folded[i] > 'z' {
			return nil
		}
	}
	switch {
	case written[len(written)-1] == '*':
		return b.prefixes.at(func(yield func(byte) bool) {
			for i := range len(folded) {
				if !yield(folded[i]) {
					return
				}
			}
		})
	case written[0] == '*':
		return b.suffixes.at(func(yield func(byte) bool) {
			for i := len(folded) - 1; i >= 0; i-- {
				if !yield(folded[i]) {
					return
				}
			}
		})
	default:
		return nil
	}
}
