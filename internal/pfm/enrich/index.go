package enrich

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
		n = collect(t, r.heads[string(b)], i, found, n)
		for end := minStem; end <= len(b); end++ {
			n = collect(t, r.prefixes[string(b[:end])], i, found, n)
		}
		for from := len(b) - minStem; from >= 0; from-- {
			n = collect(t, r.suffixes[string(b[from:])], i, found, n)
		}
		// The end of a line may have split a name in two.
		if i+1 < t.count && t.words[i+1].field == w.field {
			next := t.words[i+1]
			if size := next.end - w.start; size > joinLength && size < 32 {
				n = collectJoined(r.heads[string(t.buf[w.start:next.end])], i, found, n)
			}
		}
	}
	return n
}

// collect flags the word at from and adds the phrases that begin with it. Without an entry
// there are none.
func collect(t *text, h *entry, from int, found *[maxMatches]match, n int) int {
	if h == nil {
		return n
	}
	t.words[from].flags |= h.flags
	for _, p := range h.phrases {
		end := t.follows(p.rest, from+1, t.words[from].field)
		if end == 0 || n == maxMatches {
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
func collectJoined(h *entry, from int, found *[maxMatches]match, n int) int {
	if h == nil {
		return n
	}
	for _, p := range h.phrases {
		if len(p.rest) == 0 && p.kind != kindCue && n < maxMatches {
			found[n] = match{kind: p.kind, letters: p.letters, from: uint8(from), to: uint8(from + 2), id: p.id}
			n++
		}
	}
	return n
}

// follows returns the index after the words of rest if the field has them from at
// on, and 0 if it does not.
func (t *text) follows(rest []string, at int, field uint8) int {
	for _, want := range rest {
		if at == t.count || t.words[at].field != field || string(t.bytes(t.words[at])) != want {
			return 0
		}
		at++
	}
	return at
}
