package enrich

import (
	"sort"
	"strings"
)

// The limits of a guess: a word that a bank has cut off has at least minCut letters, and
// a trade inside another word minInside.
const (
	minCut    = 6
	minInside = 6
)

// guess finds a trade in a word that the line's end has cut off ("farmaci") or that is
// glued to others ("lowenapothekeamring"). It is the last resort.
func (e *Engine) guess(r *row) (keyword, bool) {
	for i := range r.text.count {
		w := r.text.words[i]
		b := r.text.bytes(w)
		last := i+1 == r.text.count || r.text.words[i+1].field != w.field
		if last && len(b) >= minCut {
			if k, ok := e.cutOff(r, b); ok {
				return k, true
			}
		}
		if w.flags&wordStreet != 0 {
			continue
		}
		for from := 1; from+minInside <= len(b); from++ {
			if k, ok := e.inside(r, b[from:]); ok {
				return k, true
			}
		}
	}
	return keyword{}, false
}

// cutOff returns the trade that begins with these letters. It returns false if there is
// none, or if several mean different things.
func (e *Engine) cutOff(r *row, b []byte) (keyword, bool) {
	var found keyword
	ok := false
	n := e.rules.firstFrom(string(b))
	for ; n < e.rules.words() && strings.HasPrefix(e.rules.text(sectionHeads, n*headSize), string(b)); n++ {
		k, is := e.tradeOf(r, e.rules.headAt(n))
		if is && ok && k.category.ID != found.category.ID {
			return keyword{}, false
		}
		if is {
			found, ok = k, true
		}
	}
	if ok {
		return found, true
	}
	at := 0
	for _, letter := range b {
		if at = e.rules.child(sectionPrefixes, at, letter); at == 0 {
			return keyword{}, false
		}
	}
	for at != 0 {
		if h, is := e.rules.stem(sectionPrefixes, at); is {
			return e.tradeOf(r, h)
		}
		at = e.rules.firstChild(sectionPrefixes, at)
	}
	return keyword{}, false
}

// inside returns the trade with which these letters begin.
func (e *Engine) inside(r *row, b []byte) (keyword, bool) {
	at := 0
	for i, letter := range b {
		if at = e.rules.child(sectionPrefixes, at, letter); at == 0 {
			break
		}
		if i+1 < minInside {
			continue
		}
		if h, ok := e.rules.stem(sectionPrefixes, at); ok {
			if k, ok := e.tradeOf(r, h); ok {
				return k, true
			}
		}
	}
	for end := len(b); end >= minInside; end-- {
		if h, ok := e.rules.head(b[:end]); ok {
			if k, ok := e.tradeOf(r, h); ok {
				return k, true
			}
		}
	}
	return keyword{}, false
}

// tradeOf returns the trade of one word that the head stands for, in a language of the
// row's country.
func (e *Engine) tradeOf(r *row, h head) (keyword, bool) {
	for n := h.from; n < h.to; n++ {
		p := e.rules.phrase(n)
		if p.kind != kindKeyword || p.rest != "" {
			continue
		}
		k := e.keyword(p.id)
		k.confidence = sureOfGuess
		if k.trade && k.fits(r) && (k.languages == 0 || k.languages&r.spoken != 0) {
			return k, true
		}
	}
	return keyword{}, false
}

// words returns the number of heads that are words, in their order. Those of stems come
// after them.
func (r *rules) words() int {
	return sort.Search(len(r[sectionHeads])/headSize-1, func(n int) bool {
		return u32(r[sectionHeads], n*headSize)&0xff == 0
	})
}

// firstFrom returns the number of the first word that is not less than the given one.
func (r *rules) firstFrom(word string) int {
	return sort.Search(r.words(), func(n int) bool { return r.text(sectionHeads, n*headSize) >= word })
}

// firstChild returns the first child of a node, or 0 if it has none.
func (r *rules) firstChild(section, node int) int {
	if r[section][node*nodeSize+1] == 0 {
		return 0
	}
	return int(u16(r[section], node*nodeSize+2))
}
