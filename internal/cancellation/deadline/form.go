package deadline

import (
	"cmp"
	"slices"
)

// Form is the form in which a cancellation is valid. The zero Form requires nothing.
type Form struct {
	Requirement Requirement
	// Void are the channels by which the cancellation is not valid.
	Void []Channel
	// Reason says why, in the language of the query, and Source is its source.
	Reason, Source string
	text           message
}

// Requirement is a kind of form.
type Requirement string

// The requirements.
const (
	// TextEnough: any text is valid, whatever the contract requires.
	TextEnough Requirement = "Text"
	// SignedLetter: on paper with a signature.
	SignedLetter Requirement = "Written"
	// Registered: a registered letter or its legal equivalent.
	Registered Requirement = "Registered"
	// NewProvider: the new provider cancels for the user.
	NewProvider Requirement = "NewProvider"
)

// FormRule is the form that a statute requires.
type FormRule struct {
	Requirement Requirement
	Void        []Channel
}

// Allows reports whether a cancellation by a channel is valid.
func (f Form) Allows(c Channel) bool { return !slices.Contains(f.Void, c) }

// FormOf returns the form of the user's own cancellation.
func FormOf(q Query) Form {
	terms, _ := q.termsInForce()
	f := q.formOf(contract{Terms: terms, facts: q.Facts, written: q.Written})
	f.Reason = wordsIn(q.Language).Texts[f.text]
	return f
}

// formOf is FormOf without the reason. A household must not lose its supply by its own letter.
func (q Query) formOf(c contract) Form {
	f := q.ownForm(c)
	if c.Sector.IsSupply() {
		f.Requirement, f.Source, f.text = NewProvider, cmp.Or(f.Source, c.Source), "noteSupply"
	}
	return f
}

// ownForm returns the form by the statutes and the contract.
func (q Query) ownForm(c contract) Form {
	texts := map[Requirement]message{TextEnough: "noteTextForm", SignedLetter: "formWritten", Registered: "formRegistered"}
	for _, s := range q.statutesFor(c) {
		if r := s.Form; r != nil {
			if r.Requirement == SignedLetter && len(r.Void) == 0 { // "in writing" may include e-mail
				texts[SignedLetter] = "formInWriting"
			}
			return Form{Requirement: r.Requirement, Void: r.Void, Source: s.source(), text: texts[r.Requirement]}
		}
	}
	if c.written {
		return Form{Requirement: SignedLetter, Void: []Channel{Email, Fax}, Source: c.Source, text: "formContract"}
	}
	return Form{}
}

// allowed returns the channels by which a cancellation is valid. If the product has none of them, it returns
// registered mail, which is valid everywhere.
func (f Form) allowed(channels []Channel) []Channel {
	left := slices.DeleteFunc(slices.Clone(channels), func(c Channel) bool { return !f.Allows(c) })
	if len(left) == 0 {
		return []Channel{RegisteredMail}
	}
	return left
}
