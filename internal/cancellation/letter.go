package cancellation

import (
	"cmp"
	"errors"
	"fmt"
	"time"
	"unicode"

	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
)

// Letter is the content of a cancellation letter. The same content results in the
// same bytes, whichever channel delivers the letter.
type Letter struct {
	Locale Locale
	// Date is the date of the letter.
	Date   time.Time
	Sender Sender
	// Mailbox is the operator's address for answers to a sender without Email.
	Mailbox string
	// Inbox is the address at which we receive the answer to a sender without Email; empty if we do not.
	Inbox string
	// Organization is the recipient's name. Address, Email and Fax are the
	// recipient's addresses, and zero where there is no such channel. The letter
	// shows Email or Fax if there is no Address.
	Organization string
	Address      PostalAddress
	Email, Fax   string
	// Product is the name of the product to cancel.
	Product string
	// End is the last day that the letter asks for. If it is zero, the contract shall end
	// as early as possible.
	End time.Time
	// Sector is that of the contract, and empty if unknown. Some laws have words of their own.
	Sector deadline.Sector
	// Reason is why the contract shall end before its term. It is zero without one.
	Reason deadline.Reason
	// References are for example the customer number and the contract number, in the
	// order of the template.
	References []Reference
	// DeleteData is set if the user also asks for erasure of personal data (GDPR,
	// article 17).
	DeleteData bool
	Signature  Signature
	// Objection is set if the letter objects to debits after the end of the contract, which
	// was cancelled before. Enclosed is the evidence whose pages follow the letter, if any.
	Objection *Objection
	Enclosed  *evidence.Case
	// Answers is set if the letter gives what the organization asked for, which is in References.
	Answers bool
	// Registered is set if the letter goes by registered mail.
	Registered bool
	// SignByHand is set if the sender signs the printed letter. Signature is then zero.
	SignByHand bool
}

// ReplyTo returns the e-mail address that an answer goes to. It is empty if there is none.
func (l Letter) ReplyTo() string { return cmp.Or(l.Sender.Email, l.Inbox, l.Mailbox) }

// Objection is what a letter says that objects to debits.
type Objection struct {
	// SentOn is the date of the letter of cancellation, and SHA256 its digest. EndedOn is the
	// last day of the contract.
	SentOn, EndedOn time.Time
	SHA256          string
	// Debits are the debits after the end, oldest first.
	Debits []Debit
}

// Sender is the user, from the template's fields. Only the name is required. Email is the
// request's replyTo if the template has none.
type Sender struct{ Name, Street, PostalCode, City, Email, PhoneNumber string }

// Reference is a labelled value that lets the organization find the contract.
type Reference struct {
	Label, Value string
	// Date replaces Value if it is set.
	Date time.Time
	// IsNumber is set for the number of a contract or customer. The subject may show it.
	// It shows nothing else, because everybody who passes a letter on can read it.
	IsNumber bool
}

// Signature is the user's signature: a typed name, or an image (PNG) of a
// handwritten signature. Exactly one is set.
type Signature struct {
	Text  string
	Image []byte
}

// Document is a letter as it is sent.
type Document struct {
	// PDF is the letter itself, in A4.
	PDF []byte `dynamodbav:"pdf"`
	// Subject and Text belong to the e-mail that the PDF is attached to. Subject is
	// one line.
	Subject string `dynamodbav:"subject"`
	Text    string `dynamodbav:"text"`
	// AddressOnTheRight is set if the recipient is on the right, for the window of an envelope.
	AddressOnTheRight bool `dynamodbav:"onTheRight,omitempty"`
	// FileName is the PDF's name in ASCII, such as Kuendigung.pdf.
	FileName string `dynamodbav:"fileName"`
	// Enclosure is a PDF that an e-mail has besides the letter. Joined is the letter with the
	// enclosure's pages behind it, as the other channels deliver it. Most letters have neither.
	Enclosure []byte `dynamodbav:"enclosure,omitempty"`
	Joined    []byte `dynamodbav:"-"`
	// InReplyTo is the Message-ID of the mail that an e-mail answers. It is empty for the first one.
	InReplyTo string `dynamodbav:"inReplyTo,omitempty"`
}

// StoredLetter is a letter as sent, with what an e-mail needs in addition.
type StoredLetter struct {
	Document
	SenderName string `dynamodbav:"senderName"`
	ReplyTo    string `dynamodbav:"replyTo,omitempty"`
}

// LetterWriter writes letters.
type LetterWriter interface {
	// Check returns an *UnprintableError if the text contains a character that cannot
	// be printed, and ErrTooLong if its printed form has too many characters.
	Check(text string) error
	// Write returns an *ImageError if the image cannot be used as a signature. It
	// fails for an unknown locale and for text that Check refuses.
	Write(l Letter) (Document, error)
}

// MaxValue is the maximum number of characters in a parameter or a typed signature.
const MaxValue = 300

// Text are the characters that a field accepts at most: those of the Latin, Greek and
// Cyrillic scripts, all of which letters can print. A format can name only characters of the
// Basic Multilingual Plane, so this needs no more.
var Text = &unicode.RangeTable{ //nolint:gochecknoglobals // constant
	R16: []unicode.Range16{
		{0x20, 0x7e, 1}, {0xa1, 0xac, 1}, {0xae, 0x2ff, 1}, {0x388, 0x38a, 1}, {0x38c, 0x38c, 1}, {0x38e, 0x3a1, 1},
		{0x3a3, 0x3ce, 1},
		{0x400, 0x481, 1}, {0x48a, 0x513, 1}, {0x1e00, 0x1eff, 1}, {0x2012, 0x2022, 1}, {0x2026, 0x2026, 1},
		{0x20ac, 0x20ac, 1},
	},
	LatinOffset: 2,
}

// Marks are the combining marks that a field accepts after its first character. Names in DIN 91379 have letters that
// exist only as a letter and its marks.
var Marks = &unicode.RangeTable{ //nolint:gochecknoglobals // constant
	R16: []unicode.Range16{{0x300, 0x331, 1}, {0x35f, 0x35f, 1}},
}

// ErrTooLong is returned for a text with more than MaxValue characters.
var ErrTooLong = errors.New("cancellation: text too long for a letter")

// UnprintableError reports a character that cannot be printed in a letter.
type UnprintableError struct {
	Rune rune
	// Name is the character's code point, such as U+1F600, and its Unicode name where
	// that helps.
	Name string
	// Position is the character's place in the text, from 1. A letter and its marks count as one.
	Position int
}

func (e *UnprintableError) Error() string {
	return fmt.Sprintf("the character %s at position %d cannot be printed", e.Name, e.Position)
}

// ImageError reports why an image cannot be used as a signature. Reason completes
// the sentence that begins with "the image".
type ImageError struct{ Reason string }

func (e *ImageError) Error() string { return "the image " + e.Reason }
