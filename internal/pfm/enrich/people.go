package enrich

import (
	"slices"
	"strings"
)

// betweenPeople reports whether the counterparty is a person rather than a business.
// A person may have the name of a brand ("Peter Lidl", "Anna Müller").
func (r *row) betweenPeople() bool {
	if r.purchase || r.party&cueCompany != 0 {
		return false
	}
	if slices.ContainsFunc(r.found, r.namesBusiness) {
		return false
	}
	party := r.naming(fieldParty)
	if r.flags&cuePeople != 0 {
		return party != business && !r.isCompany(0, r.text.count)
	}
	if party != nobody {
		return party == person
	}
	// Banks without a field for the name put it in the note, after the word "transfer" or the name of an app.
	return r.naming(fieldNote) == person
}

// namesBusiness reports whether a phrase is a merchant's name of several words at the beginning of the name.
func (r *row) namesBusiness(m match) bool {
	return m.kind == kindMerchant && m.id&weakAlias == 0 && !r.rules.merchants[m.id].scheme && r.text.words[m.from].part == partName &&
		(m.to-m.from > 1 && m.letters >= longWord || m.letters >= 4 && r.text.words[m.from].field == fieldNote) &&
		r.text.words[m.from].flags&(wordGiven|wordSurname|cueTitle) == 0 && r.namesParty(int(m.from))
}

// naming is the kind of party in a field.
type naming uint8

const (
	nobody naming = iota
	somebody
	person
	business
)

// naming returns the kind of party in a field. In the note it looks only for persons, because the other words are
// about the purpose.
func (r *row) naming(field uint8) naming {
	words, dotted := 0, false
	var names wordFlags
	for i := range r.text.count {
		w := &r.text.words[i]
		initial := w.end-w.start == 1
		isName := field == fieldParty && w.flags&wordGiven != 0
		const filler = cueTransfer | cueProvider | cuePeople | cueApp | wordNoise
		if w.field != field || w.part != partName || w.flags&filler != 0 && !initial && !isName {
			continue
		}
		words++
		dotted = dotted || initial && strings.HasPrefix(r.fields[field][w.to:], ".") && !r.brandAt(i)
		if !r.brandAt(i) {
			names |= w.flags & (cueTitle | wordGiven | wordSurname)
		}
		if (field == fieldParty || r.flags&cueApp != 0) && r.tradeAt(i) {
			return business
		}
	}
	switch {
	case words == 0:
		return nobody
	case field == fieldNote:
		isTransfer := r.flags&(cueTransfer|cueApp) != 0
		if names&(cueTitle|wordGiven) != 0 && (isTransfer || words <= 5 && r.begins(wordGiven|cueTitle)) ||
			isTransfer && words == 2 && names&wordSurname != 0 {
			return person
		}
	case names&(cueTitle|wordGiven) != 0 && words <= maxNames,
		// "Bauer Swantje", "J. Jansen".
		words == 2 && (names&wordSurname != 0 || dotted):
		return person
	}
	return somebody
}

// begins reports whether the first word has one of the flags and none but names follow.
func (r *row) begins(flags wordFlags) bool {
	return r.text.count > 1 && r.text.words[0].flags&flags != 0 && !slices.ContainsFunc(r.found, func(m match) bool {
		return m.kind == kindKeyword || m.kind == kindMerchant && m.letters >= longWord
	})
}

// maxNames is the maximum number of words in a person's name. Joint accounts have many.
const maxNames = 7

// brandAt reports whether the word is part of a merchant's name of several words, such as Hugo Boss.
func (r *row) brandAt(i int) bool {
	return slices.ContainsFunc(r.found, func(m match) bool {
		return m.kind == kindMerchant && m.has(i) && m.to-m.from > 1 && !r.rules.merchants[m.id&^weakAlias].scheme
	})
}

// tradeAt reports whether the word is a trade, such as Pizzeria in "Pizzeria Mario". After a given name, it is a surname.
func (r *row) tradeAt(i int) bool {
	w := &r.text.words[i]
	if w.flags&(wordGiven|wordSurname|cueTitle) != 0 ||
		i > 0 && r.text.words[i-1].flags&wordGiven != 0 && r.text.words[i-1].field == w.field {
		return false
	}
	return slices.ContainsFunc(r.found, func(m match) bool { return m.kind == kindKeyword && m.has(i) })
}
