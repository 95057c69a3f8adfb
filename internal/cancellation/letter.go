package cancellation

import (
	"errors"
	"fmt"
	"time"
)

// Letter is what a letter of cancellation says. The same letter gives the same
// document to the byte, whichever way it goes.
type Letter struct {
	Locale Locale
	// Date is the day of the letter.
	Date   time.Time
	Sender Sender
	// Organization is the recipient's name. Address is where letters on paper
	// would go, and zero where none do; Email and Fax likewise, and stand in the
	// place of the address then.
	Organization string
	Address      PostalAddress
	Email, Fax   string
	// Product is what is cancelled.
	Product string
	// References are customer number, contract number and the like, in the
	// order of the template.
	References []Reference
	// DeleteData: the user asks for erasure of personal data as well (GDPR,
	// article 17).
	DeleteData bool
	Signature  Signature
}

// Sender is the user as the template's fields have it; any but the name may be
// empty.
type Sender struct{ Name, Street, PostalCode, City, Email, PhoneNumber string }

// Reference is a labelled value that lets the organization find the contract.
type Reference struct{ Label, Value string }

// Signature is how the user signs: with a name as typed, or with an image of
// the hand (PNG). Exactly one is set.
type Signature struct {
	Text  string
	Image []byte
}

// Document is a letter in the forms in which it goes out.
type Document struct {
	// PDF is the letter itself, A4.
	PDF []byte
	// Subject and Text are those of the e-mail that the PDF is attached to.
	// Subject is one line.
	Subject, Text string
	// FileName is the PDF's, in ASCII: Kuendigung.pdf.
	FileName string
}

// LetterWriter writes letters.
type LetterWriter interface {
	// Check is an *UnprintableError when the text has a character that cannot
	// be printed, and ErrTooLong when it has more characters than a letter
	// takes, once they are as they would be printed.
	Check(text string) error
	// Write is an *ImageError for an image that is no signature. It fails for a
	// locale that it does not know, and for text that Check would refuse.
	Write(l Letter) (Document, error)
}

// ErrTooLong says that a text has more than MaxValue characters.
var ErrTooLong = errors.New("cancellation: text too long for a letter")

// UnprintableError names a character that no letter can hold.
type UnprintableError struct {
	Rune rune
	// Name is the character's code point, and its Unicode name where it helps:
	// U+1F600.
	Name string
}

func (e *UnprintableError) Error() string {
	return fmt.Sprintf("the character %s cannot be printed", e.Name)
}

// ImageError says why an image cannot stand for a signature. Reason goes on
// after "the image".
type ImageError struct{ Reason string }

func (e *ImageError) Error() string { return "the image " + e.Reason }
