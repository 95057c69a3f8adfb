package enrich

import (
	"slices"
	"strings"
)

// match is a phrase found in a text: the words [from, to).
type match struct {
	kind     kind
	letters  uint8
	from, to uint8
	id       uint32
}

const maxMatches = 64

// find flags the words of the text and collects the phrases that they are part of,
// with one lookup per word.
func (r *rules) find(t *text, found *[maxMatches]match) int {
	n := 0
	for i := range t.count {
		w := t.words[i]
		b := t.bytes(w)
		if h, ok := r.head(b); ok {
			t.words[i].flags |= h.flags
			n = r.collect(t, h, i, found, n)
		}
		if len(b) >= minStem {
			n = r.stemsOf(t, i, found, n)
		}
		// The end of a line may have split a name in two.
		if i+1 < t.count && t.words[i+1].field == w.field {
			next := t.words[i+1]
			if size := next.end - w.start; size > joinLength && size < 32 {
				if h, ok := r.head(t.buf[w.start:next.end]); ok {
					n = r.collectJoined(h, i, found, n)
				}
			}
		}
	}
	return n
}

// collect adds the phrases that begin with the word at from.
func (r *rules) collect(t *text, h head, from int, found *[maxMatches]match, n int) int {
	for k := h.from; k < h.to && n < maxMatches; k++ {
		p := r.phrase(k)
		end := t.follows(p.rest, from+1, t.words[from].field)
		if end == 0 {
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

// collectJoined adds phrases of one word that the text has as two.
func (r *rules) collectJoined(h head, from int, found *[maxMatches]match, n int) int {
	for k := h.from; k < h.to && n < maxMatches; k++ {
		if p := r.phrase(k); p.rest == "" && p.kind != kindCue {
			found[n] = match{kind: p.kind, letters: p.letters, from: uint8(from), to: uint8(from + 2), id: p.id}
			n++
		}
	}
	return n
}

// follows returns the index after the words of rest if the field has them from at
// on, and 0 if it does not.
func (t *text) follows(rest string, at int, field uint8) int {
	for rest != "" {
		var want string
		want, rest, _ = strings.Cut(rest, " ")
		if at == t.count || t.words[at].field != field || string(t.bytes(t.words[at])) != want {
			return 0
		}
		at++
	}
	return at
}

// stemsOf adds the keywords and cues whose stem begins or ends the word.
func (r *rules) stemsOf(t *text, i int, found *[maxMatches]match, n int) int {
	b := t.bytes(t.words[i])
	at := 0
	for k := range b {
		if at = r.child(sectionPrefixes, at, b[k]); at == 0 {
			break
		}
		n = r.collectStem(sectionPrefixes, at, t, i, found, n)
	}
	at = 0
	for _, v := range slices.Backward(b) {
		if at = r.child(sectionSuffixes, at, v); at == 0 {
			break
		}
		n = r.collectStem(sectionSuffixes, at, t, i, found, n)
	}
	return n
}

func (r *rules) collectStem(section, node int, t *text, i int, found *[maxMatches]match, n int) int {
	h, ok := r.stem(section, node)
	if !ok {
		return n
	}
	t.words[i].flags |= h.flags
	return r.collect(t, h, i, found, n)
}
