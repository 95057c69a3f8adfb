package letter

import "errors"

// Why a letter is not written. A character that cannot be printed is a
// *cancellation.UnprintableError, an image that is no signature an *ImageError.
var (
	// ErrLocale: there are no words for the locale.
	ErrLocale = errors.New("letter: unknown locale")
	// ErrCountry: the recipient is in a country that has no name in the letter's
	// language.
	ErrCountry = errors.New("letter: unknown country of the recipient")
	// ErrIncomplete: the date, the sender's name, the organization, the product
	// or the signature is missing, or there are two signatures.
	ErrIncomplete = errors.New("letter: incomplete")
	// ErrTooLong: a value has more than MaxLength characters.
	ErrTooLong = errors.New("letter: value too long")
	// ErrAddressTooLong: the recipient does not fit the window of an envelope,
	// however small it is set.
	ErrAddressTooLong = errors.New("letter: recipient does not fit the address window")
	// ErrTooLarge: the document would have more than MaxSize bytes.
	ErrTooLarge = errors.New("letter: document too large")
)

const (
	// MaxLength is how many characters a value may have: the sender's block
	// then fits its column in any letters.
	MaxLength = 300
	// MaxSize is how many bytes a PDF may have. It is stored in one item of the
	// table (DynamoDB: 400 KB), beside what else is kept of the letter.
	MaxSize = 300_000
)

// ImageError says why an image cannot stand for a signature. Reason goes on
// after "the image".
type ImageError struct{ Reason string }

func (e *ImageError) Error() string { return "letter: the image " + e.Reason }
