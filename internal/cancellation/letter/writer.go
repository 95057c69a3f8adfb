package letter

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// Writer is the cancellation.LetterWriter. It is read-only and safe for
// concurrent use.
type Writer struct {
	wordings map[cancellation.Locale]wording
}

var _ cancellation.LetterWriter = (*Writer)(nil)

// New is a writer in all locales that there are words for.
func New() *Writer { return &Writer{wordings: wordings()} }

// Locales are those in which letters can be written, sorted.
func (w *Writer) Locales() []cancellation.Locale { return slices.Sorted(maps.Keys(w.wordings)) }

// Check is a *cancellation.UnprintableError when the text has a character that
// cannot be printed, and cancellation.ErrTooLong beyond MaxLength. Values are of
// one line, so that a line feed is such a character, too.
func (*Writer) Check(text string) error {
	_, err := printable(text)
	return err
}

// printable is the text as it is printed.
func printable(text string) (string, error) {
	set, err := Printable(text)
	if err == nil && utf8.RuneCountInString(set) > MaxLength {
		err = cancellation.ErrTooLong
	}
	return set, err
}

// CheckCountry is ErrLocale for a locale that is not among Locales, and
// ErrCountry where the recipient's country has no name in the locale's language.
// A letter within a country does not name it.
func (w *Writer) CheckCountry(l cancellation.Locale, code string) error {
	words, ok := w.wordings[l]
	if !ok {
		return fmt.Errorf("%w: %s", ErrLocale, l)
	}
	if code == l.Country() {
		return nil
	}
	_, err := words.country(code)
	return err
}

// Write fails with what Check says of a value, a *cancellation.ImageError or one
// of this package's errors.
func (w *Writer) Write(l cancellation.Letter) (cancellation.Document, error) {
	words, ok := w.wordings[l.Locale]
	if !ok {
		return cancellation.Document{}, fmt.Errorf("%w: %s", ErrLocale, l.Locale)
	}
	l, err := cleaned(l)
	if err != nil {
		return cancellation.Document{}, err
	}
	if err := complete(l); err != nil {
		return cancellation.Document{}, err
	}
	var hand picture
	if len(l.Signature.Image) > 0 {
		if hand, err = pictureOf(l.Signature.Image); err != nil {
			return cancellation.Document{}, err
		}
	}
	c := composer{letter: l, words: words, hand: hand}
	pdf, err := c.pdf()
	if err != nil {
		return cancellation.Document{}, err
	}
	if len(pdf) > MaxSize {
		return cancellation.Document{}, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(pdf))
	}
	return cancellation.Document{
		PDF:      pdf,
		Subject:  plain(c.subject()),
		Text:     c.mail(),
		FileName: words.fileName,
	}, nil
}

func complete(l cancellation.Letter) error {
	for _, member := range []struct {
		missing bool
		name    string
	}{
		{l.Date.IsZero(), "date"},
		{l.Sender.Name == "", "sender's name"},
		{l.Organization == "", "organization"},
		{l.Product == "", "product"},
		{(l.Signature.Text == "") == (len(l.Signature.Image) == 0), "one signature"},
	} {
		if member.missing {
			return fmt.Errorf("%w: no %s", ErrIncomplete, member.name)
		}
	}
	return nil
}

// cleaned is the letter with each of its texts as it is printed.
func cleaned(l cancellation.Letter) (cancellation.Letter, error) {
	l.Address.Recipient = slices.Clone(l.Address.Recipient)
	l.References = slices.Clone(l.References)
	texts := []*string{
		&l.Sender.Name, &l.Sender.Street, &l.Sender.PostalCode, &l.Sender.City, &l.Sender.Email, &l.Sender.PhoneNumber,
		&l.Organization, &l.Address.Street, &l.Address.PostalCode, &l.Address.City, &l.Email, &l.Fax,
		&l.Product, &l.Signature.Text,
	}
	for i := range l.Address.Recipient {
		texts = append(texts, &l.Address.Recipient[i])
	}
	for i := range l.References {
		texts = append(texts, &l.References[i].Label, &l.References[i].Value)
	}
	for _, text := range texts {
		set, err := printable(*text)
		if err != nil {
			return l, err
		}
		*text = set
	}
	return l, nil
}
