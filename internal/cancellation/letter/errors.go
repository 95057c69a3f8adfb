package letter

import (
	"errors"

	"aviso/internal/cancellation"
)

// Why a letter is not written. A character that cannot be printed is a
// *cancellation.UnprintableError, an image that is no signature a
// *cancellation.ImageError, and a value that is too long cancellation.ErrTooLong.
var (
	// ErrLocale: there are no words for the locale.
	ErrLocale = errors.New("letter: unknown locale")
	// ErrCountry: the recipient is in a country that has no name in the letter's
	// language.
	ErrCountry = errors.New("letter: unknown country of the recipient")
	// ErrIncomplete: the date, the sender's name, the organization, the product
	// or the signature is missing, or there are two signatures.
	ErrIncomplete = errors.New("letter: incomplete")
	// ErrAddressTooLong: the recipient does not fit the window of an envelope,
	// however small it is set.
	ErrAddressTooLong = errors.New("letter: recipient does not fit the address window")
	// ErrTooLarge: the document would have more than MaxSize bytes.
	ErrTooLarge = errors.New("letter: document too large")
)

const (
	// MaxLength is how many characters a value may have: the sender's block
	// then fits its column in any letters.
	MaxLength = cancellation.MaxValue
	// MaxSize is how many bytes a PDF may have. It is stored in one item of the
	// table (DynamoDB: 400 KB), beside what else is kept of the letter.
	MaxSize = 300_000
)
