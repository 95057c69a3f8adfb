package letter

import (
	"errors"

	"aviso/internal/cancellation"
)

// The errors of Writer, besides *cancellation.UnprintableError,
// *cancellation.ImageError and cancellation.ErrTooLong.
var (
	// ErrLocale is returned if the locale has no wording.
	ErrLocale = errors.New("letter: unknown locale")
	// ErrCountry is returned if the recipient's country has no name in the letter's
	// language.
	ErrCountry = errors.New("letter: unknown recipient country")
	// ErrIncomplete is returned if the date, the sender's name, the organization, the
	// product or the signature is missing, or if there are two signatures.
	ErrIncomplete = errors.New("letter: incomplete")
	// ErrAddressTooLong is returned if the recipient does not fit the window of an
	// envelope even in the smallest font.
	ErrAddressTooLong = errors.New("letter: recipient does not fit the address window")
	// ErrTooLarge is returned if the document would exceed MaxSize.
	ErrTooLarge = errors.New("letter: document too large")
)

const (
	// MaxLength is the maximum length of a value in characters. The sender's block
	// then fits its column whatever the characters.
	MaxLength = cancellation.MaxValue
	// MaxSize is the maximum size of a PDF in bytes. It is stored in one DynamoDB item
	// (400 KB) together with the rest of the letter.
	MaxSize = 300_000
)
