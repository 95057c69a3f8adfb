package letter

import (
	"cmp"

	"aviso/internal/cancellation/evidence"
)

// summaryWords are the texts of a summary. Names in braces are placeholders.
type summaryWords struct {
	Title, Intro string
	// Objection and ObjectionOrdered replace the title and the name of the first step, if the
	// evidence is about a letter of objection. ObjectionID is a label.
	Objection, ObjectionOrdered, ObjectionID string
	// The labels of the facts.
	Sender, Organization, Product, Reason, Status, AsOf, Received, Recipients, ID, External string
	// The headings of the sections.
	Steps, Limits, Check string
	// Shows and ShowsNot have {text}. Proofs is a label. More has {count}.
	Shows, ShowsNot, Proofs, More string
	LimitTexts                    []string
	// CheckText has {guide}. Chain is the label of a digest.
	CheckText, Chain                 string
	Actors, Channels, Reasons, Kinds map[string]string
	Events                           map[evidence.Event]string
	// Meanings are what a step shows and what it does not, by event, or by event and
	// channel, as in Delivered/Email.
	Meanings map[string][2]string
}

// Words for what this release does not know are what evidence.json has.

// event returns what an event is called. By some channels it is called otherwise.
func (w *summaryWords) event(e evidence.Event, channel string) string {
	return cmp.Or(w.Events[e+"/"+evidence.Event(channel)], w.Events[e], string(e))
}

func (w *summaryWords) channel(kind string) string { return cmp.Or(w.Channels[kind], kind) }

func (w *summaryWords) reason(code string) string { return cmp.Or(w.Reasons[code], code) }

// meaning returns what a step shows and what it does not.
func (w *summaryWords) meaning(e evidence.Entry) []string {
	m, ok := w.Meanings[string(e.Event)+"/"+e.Channel]
	if !ok {
		m, ok = w.Meanings[string(e.Event)]
	}
	if !ok {
		return nil
	}
	return []string{fill(w.Shows, "text", m[0]), fill(w.ShowsNot, "text", m[1])}
}
