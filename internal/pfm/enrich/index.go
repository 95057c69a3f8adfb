package enrich

import "slices"

// kind tells what a phrase is.
type kind uint8

const (
	kindMerchant kind = iota
	kindKeyword
	kindCue
)

// phrase is what follows the first word of something the index knows.
type phrase struct {
	rest    []string
	kind    kind
	letters uint8
	// id is the merchant's or the keyword's; of a cue its flags.
	id uint32
}

// head is all that begins with one word.
type head struct {
	flags   wordFlags
	phrases []phrase
}

// index finds every known phrase that begins at a word, in one look-up.
type index struct {
	heads map[string]*head
	// prefixes and suffixes hold the stems written "apothek*" and "*bakkerij".
	prefixes, suffixes stems
}

func newIndex() *index { return &index{heads: make(map[string]*head, 8192)} }

// joinLength is from how many letters on a phrase is also known written as one
// word ("mediamarkt" for "media markt").
const joinLength = 6

func (x *index) add(words []string, k kind, id uint32) {
	if len(words) == 0 {
		return
	}
	joined := ""
	for _, w := range words {
		joined += w
	}
	p := phrase{rest: words[1:], kind: k, letters: uint8(min(len(joined), 255)), id: id}
	x.put(words[0], p)
	if len(words) > 1 && len(joined) >= joinLength {
		p.rest = nil
		x.put(joined, p)
	}
}

func (x *index) put(first string, p phrase) {
	h := x.head(first)
	for _, other := range h.phrases {
		if other.kind == p.kind && other.id == p.id && slices.Equal(other.rest, p.rest) {
			return
		}
	}
	h.phrases = append(h.phrases, p)
}

func (x *index) head(first string) *head {
	h := x.heads[first]
	if h == nil {
		h = &head{}
		x.heads[first] = h
	}
	return h
}

// flag marks a word; a cue of several words is a phrase, which also keeps its
// words from being taken for a merchant ("apple pay").
func (x *index) flag(words []string, f wordFlags) {
	if len(words) == 1 {
		x.head(words[0]).flags |= f
		return
	}
	x.add(words, kindCue, uint32(f))
}

// match is a phrase found in a text: the words [from, to).
type match struct {
	kind     kind
	letters  uint8
	from, to uint8
	id       uint32
}

const maxMatches = 64

// find reads all words of the text, flags them and collects what they are part
// of.
func (x *index) find(t *text, found *[maxMatches]match) int {
	n := 0
	for i := range t.count {
		w := t.words[i]
		b := t.bytes(w)
		if h := x.heads[string(b)]; h != nil {
			t.words[i].flags |= h.flags
			n = collect(t, h, i, i+1, found, n)
		}
		if len(b) >= minStem {
			n = x.stemsOf(t, i, found, n)
		}
		// A name broken in two by the end of a line.
		if i+1 < t.count && t.words[i+1].field == w.field {
			next := t.words[i+1]
			if size := next.end - w.start; size > joinLength && size < 32 {
				if h := x.heads[string(t.buf[w.start:next.end])]; h != nil {
					n = collectJoined(h, i, found, n)
				}
			}
		}
	}
	return n
}

// collect adds the phrases that go on behind the words [from, to).
func collect(t *text, h *head, from, to int, found *[maxMatches]match, n int) int {
	for k := range h.phrases {
		p := &h.phrases[k]
		end := to + len(p.rest)
		if n == maxMatches || end > t.count || !t.follows(p.rest, to, t.words[from].field) {
			continue
		}
		if p.kind == kindCue {
			for i := from; i < end; i++ {
				t.words[i].flags |= wordFlags(p.id)
			}
		}
		found[n] = match{kind: p.kind, letters: p.letters, from: uint8(from), to: uint8(end), id: p.id}
		n++
	}
	return n
}

// collectJoined adds what is one word, written as two.
func collectJoined(h *head, from int, found *[maxMatches]match, n int) int {
	for _, p := range h.phrases {
		if len(p.rest) == 0 && n < maxMatches && p.kind != kindCue {
			found[n] = match{kind: p.kind, letters: p.letters, from: uint8(from), to: uint8(from + 2), id: p.id}
			n++
		}
	}
	return n
}

// follows tells whether the words from at on are these, within the field.
func (t *text) follows(rest []string, at int, field uint8) bool {
	for i, want := range rest {
		w := t.words[at+i]
		if w.field != field || string(t.bytes(w)) != want {
			return false
		}
	}
	return true
}

// stemsOf adds the keywords and cues whose stem begins or ends the word.
func (x *index) stemsOf(t *text, i int, found *[maxMatches]match, n int) int {
	b := t.bytes(t.words[i])
	at := int32(0)
	for k := range b {
		if at = x.prefixes.next(at, b[k]); at == 0 {
			break
		}
		n = x.prefixes.collect(at, t, i, found, n)
	}
	at = 0
	for k := len(b) - 1; k >= 0; k-- {
		if at = x.suffixes.next(at, b[k]); at == 0 {
			break
		}
		n = x.suffixes.collect(at, t, i, found, n)
	}
	return n
}

// minStem is the length of the shortest stem.
const minStem = 4

// stems is a tree of letters; node 0 is its root.
type stems struct {
	nodes []stemNode
	heads map[int32]*head
}

type stemNode struct {
	next [26]uint16
	ends bool
}

func (s *stems) next(at int32, b byte) int32 {
	if b < 'a' || b > 'z' || len(s.nodes) == 0 {
		return 0
	}
	return int32(s.nodes[at].next[b-'a'])
}

func (s *stems) collect(at int32, t *text, i int, found *[maxMatches]match, n int) int {
	if !s.nodes[at].ends {
		return n
	}
	h := s.heads[at]
	t.words[i].flags |= h.flags
	return collect(t, h, i, i+1, found, n)
}

// at is the node of a stem, made where it is not there.
func (s *stems) at(letters func(func(byte) bool)) *head {
	if len(s.nodes) == 0 {
		s.nodes, s.heads = make([]stemNode, 1, 4096), make(map[int32]*head)
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
	s.nodes[at].ends = true
	if s.heads[at] == nil {
		s.heads[at] = &head{}
	}
	return s.heads[at]
}

// stem is the head of a stem: "apothek*" begins a word, "*bakkerij" ends one.
// Nil for what is not written as one, or not of enough plain letters.
func (x *index) stem(written, folded string) *head {
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
		return x.prefixes.at(func(yield func(byte) bool) {
			for i := range len(folded) {
				if !yield(folded[i]) {
					return
				}
			}
		})
	case written[0] == '*':
		return x.suffixes.at(func(yield func(byte) bool) {
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
