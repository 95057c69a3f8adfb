package enrich

import (
	"sort"
	"strings"
)

// The limits of a guess: a cut-off word has at least minCut letters, and a trade inside another word minInside.
const minCut, minInside = 6, 6

// guess finds a trade in a word that the end of a line has cut off ("farmaci") or that is joined to others
// ("lowenapothekeamring"). It is the last resort.
func (e *Engine) guess(r *row) (Result, bool) {
	for i := range r.text.count {
		w := r.text.words[i]
		b := r.text.bytes(w)
		last := i+1 == r.text.count || r.text.words[i+1].run != w.run || !r.hasLetter(i+1)
		if last && len(b) >= minCut {
			if k, ok := e.cutOff(r, string(b)); ok {
				return k.result(), true
			}
		}
		for from := 1; from+minInside <= len(b); from++ {
			if m, ok := e.named(r, b[from:]); ok {
				return m.result(), true
			}
			for end := from + minInside; end <= len(b); end++ {
				if k, ok := e.tradeOf(r, e.prefixes[string(b[from:end])]); ok {
					return k.result(), true
				}
			}
		}
	}
	return Result{}, false
}

// named returns the merchant with this name, which follows the bank's name for the terminal.
func (e *Engine) named(r *row, b []byte) (merchant, bool) {
	if h := e.heads[string(b)]; h != nil && r.purchase && len(b) >= longWord {
		for _, p := range h.phrases {
			if p.kind == kindMerchant && len(p.rest) == 0 && e.merchants[p.id&^weakAlias].isIn(r.code) {
				return e.merchants[p.id&^weakAlias], true
			}
		}
	}
	return merchant{}, false
}

// cutOff returns the trade that begins with these letters. It returns false if there is none, or if several have
// different meanings.
func (e *Engine) cutOff(r *row, letters string) (found keyword, ok bool) {
	for _, index := range [...]struct {
		names   []string
		entries map[string]*entry
	}{{e.words(), e.heads}, {e.stems(), e.prefixes}} {
		n := sort.SearchStrings(index.names, letters)
		for ; n < len(index.names) && strings.HasPrefix(index.names[n], letters); n++ {
			k, is := e.tradeOf(r, index.entries[index.names[n]])
			if is && ok && k.top() != found.top() {
				return keyword{}, false
			}
			if is {
				found, ok = k, true
			}
		}
	}
	return found, ok
}

// tradeOf returns the entry's one-word trade in a language of the row's country.
func (e *Engine) tradeOf(r *row, h *entry) (keyword, bool) {
	if h == nil {
		return keyword{}, false
	}
	for _, p := range h.phrases {
		if p.kind != kindKeyword || len(p.rest) > 0 {
			continue
		}
		k := e.keywords[p.id]
		if k.trade && k.fits(r) && r.speaks(k.language) {
			return k, true
		}
	}
	return keyword{}, false
}
