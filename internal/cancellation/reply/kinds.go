// Package reply receives the answers of organizations: it reads their mail, says what an answer means, and keeps it.
package reply

import (
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

// Kind classifies an answer.
type Kind string

// The kinds.
const (
	KindConfirmed        Kind = "Confirmed"
	KindRejected         Kind = "Rejected"
	KindNeedsInformation Kind = "NeedsInformation"
	// KindReceived is a receipt only.
	KindReceived Kind = "Received"
	// KindOffer asks the user to stay.
	KindOffer Kind = "Offer"
	// KindAutoReply was written by a program that has not read the letter, such as an out-of-office note or a bounce.
	KindAutoReply Kind = "AutoReply"
	KindUnclear   Kind = "Unclear"
)

// Reading is the result of reading an answer.
type Reading struct {
	Kind Kind `dynamodbav:"kind"`
	// Reason is set for KindRejected.
	Reason cancellation.StatusReason `dynamodbav:"reason,omitempty"`
	// EndDate is the last day of the contract in a confirmation. It is empty if the answer names none.
	EndDate deadline.Date `dynamodbav:"endDate,omitempty"`
	// LaterDate is the day that a rejection names, before which the contract cannot end.
	LaterDate deadline.Date `dynamodbav:"laterDate,omitempty"`
	// NeededFields are keys of template fields, and SIGNATURE, PROOF, IBAN and TAX_NUMBER.
	NeededFields []string `dynamodbav:"neededFields,omitempty"`
	// Excerpt is the sentence that decided, and Rule the rule that it matched, such as de.confirm.3.
	Excerpt string `dynamodbav:"excerpt,omitempty"`
	Rule    string `dynamodbav:"rule,omitempty"`
	// Confidence is from 0 to 1.
	Confidence float64 `dynamodbav:"confidence"`
}

// Sure is the confidence from which a confirmation or a rejection changes the status.
const Sure = 0.8
