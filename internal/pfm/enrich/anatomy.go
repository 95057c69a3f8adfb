package enrich

import "strings"

// A row has an anatomy: how it was paid, to or from whom, for what, and what the bank adds. Banks' words and labels in
// lexicon.csv separate these parts, and the rules read each of them for what it is.

// part is the part of a row that a word belongs to.
type part uint8

const (
	// partName names the other party.
	partName part = iota
	partPurpose
	// partForm are words and labels of the bank, partData its dates, rates, cards and references.
	partForm
	partData
)

// opens are words of the bank's after which it names the party.
const opens = cueCard | cueDebit | cueTransfer | cuePeople | cueProvider | cueApp | formBooking

// forms are the flags of the bank's words.
const forms = formBooking | formName | formPurpose | colonName | colonPurpose | formClose | formDated | formCut

// dissect sets the part of every word, and numbers runs of words with the same part.
func (r *row) dissect() {
	t := &r.text
	state, run, hasWords, begun := partName, uint8(1), false, false
	for i := range t.count {
		w := &t.words[i]
		if i > 0 && w.field != t.words[i-1].field {
			run, hasWords, begun, state = run+1, false, false, partName
			if r.hasParty {
				state = partPurpose
			}
		}
		next, named := state, false
		switch flags := r.role(i); {
		case flags&formName != 0:
			next, named = partName, true
		case flags&formPurpose != 0:
			next = partPurpose
		case flags&formClose != 0 && begun:
			next = partData
		case flags&(opens|formClose) != 0 && !r.brandAt(i):
			if state == partData && flags&(opens&^formBooking) != 0 && !r.hasParty && !begun {
				next = partName
			}
		default:
			if w.part, w.run = state, run; w.field == fieldParty {
				r.party |= flags
			}
			hasWords = hasWords || r.hasLetter(i)
			begun = begun || hasWords
			r.hasParty = r.hasParty || hasWords && w.field == fieldParty && state == partName
			continue
		}
		if w.part = partForm; next == partData {
			w.part = partData
		}
		if hasWords || next != state {
			run, hasWords = run+1, false
		}
		if named && (w.field == fieldParty || !r.hasParty) && (r.labelled == 0 || r.sign <= 0) {
			r.labelled = run
		}
		w.run, state = run, next
	}
}

// role returns the word's flags, with those of labels as the bank writes them.
func (r *row) role(i int) wordFlags {
	w := r.text.words[i]
	flags := w.flags
	if flags&(colonName|colonPurpose|formDated) == 0 {
		return flags
	}
	rest := strings.TrimLeft(r.fields[w.field][w.to:], " ")
	switch {
	case rest == "":
	case flags&(colonName|colonPurpose) != 0 && rest[0] == ':':
		flags |= flags & colonName >> 2
		flags |= flags & colonPurpose >> 2
	case flags&formDated != 0 && '0' <= rest[0] && rest[0] <= '9':
		flags |= formClose
	}
	return flags
}

// isBooked reports whether a phrase is the bank's own, so that it says nothing about party or purpose.
func (r *row) isBooked(m match) bool {
	for _, w := range r.text.words[m.from:m.to] {
		if w.part != partData && (m.kind != kindKeyword || m.to-m.from > 1 || w.flags&formBooking == 0) {
			return false
		}
	}
	return m.kind != kindCue
}

// nameWords returns how many words the row has besides the bank's.
func (r *row) nameWords() int {
	n := 0
	for i := range r.text.count {
		if !r.isFiller(i) {
			n++
		}
	}
	return n
}
