package enrich

// match is a phrase found in a text: the words [from, to).
type match struct {
	kind     kind
	letters  uint8
	from, to uint8
	id       uint32
}

// has reports whether a word is part of the phrase.
func (m match) has(word int) bool { return int(m.from) <= word && word < int(m.to) }

const maxMatches = 64

// find flags the words of the text and returns the known phrases in it.
func (r *rules) find(t *text) []match {
	found := make([]match, 0, maxMatches/4)
	add := func(p phrase, from, to int) {
		found = append(found, match{kind: p.kind, letters: p.letters, from: uint8(from), to: uint8(to), id: p.id})
	}
	collect := func(h *entry, at int) { // the phrases that begin with the word at this index
		if h == nil {
			return
		}
		t.words[at].flags |= h.flags
		for _, p := range h.phrases {
			if end := t.follows(p.rest, at+1, t.words[at].field); end > 0 && len(found) < maxMatches {
				add(p, at, end)
			}
		}
	}
	for i := range t.count {
		w := t.words[i]
		b := t.bytes(w)
		collect(r.heads[string(b)], i)
		if len(b) >= minStem {
			for size := minStem; size <= min(len(b), r.prefixReach[string(b[:minStem])]); size++ {
				collect(r.prefixes[string(b[:size])], i)
			}
			for size := minStem; size <= min(len(b), r.suffixReach[string(b[len(b)-minStem:])]); size++ {
				collect(r.suffixes[string(b[len(b)-size:])], i)
			}
		}
		next := &t.words[min(i+1, t.count-1)]
		if size := next.end - w.start; i+1 == t.count || next.field != w.field || size <= joinLength || size >= 32 {
			continue
		}
		// The end of a line may have split a name.
		if h := r.heads[string(t.buf[w.start:next.end])]; h != nil {
			for _, p := range h.phrases {
				if len(p.rest) == 0 && p.kind != kindCue && len(found) < maxMatches {
					add(p, i, i+2)
				}
			}
		}
	}
	return found
}

// follows returns the index after the words of rest if the field has them at this position, and 0 otherwise.
func (t *text) follows(rest []string, at int, field uint8) int {
	for _, want := range rest {
		if at == t.count || t.words[at].field != field || string(t.bytes(t.words[at])) != want {
			return 0
		}
		at++
	}
	return at
}
