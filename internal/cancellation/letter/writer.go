package letter

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

// Writer implements cancellation.LetterWriter. It is safe for concurrent use.
type Writer struct{}

var _ cancellation.LetterWriter = Writer{}

// Locales returns the locales in which letters can be written, sorted.
func (Writer) Locales() []cancellation.Locale {
	var all []cancellation.Locale
	for _, read := range languages() {
		all = slices.AppendSeq(all, maps.Keys(read()))
	}
	slices.Sort(all)
	return all
}

// Check returns a *cancellation.UnprintableError if a character of the text cannot be printed, and
// cancellation.ErrTooLong if the text is longer than MaxLength. A line feed cannot be printed: every value is a
// single line.
func (Writer) Check(text string) error {
	_, err := printable(text)
	return err
}

// printable returns the printed form of a text, with the errors of Check.
func printable(text string) (string, error) {
	printed, err := Printable(text)
	if err == nil && utf8.RuneCountInString(printed) > MaxLength {
		err = cancellation.ErrTooLong
	}
	return printed, err
}

// CheckCountry returns ErrLocale if the locale is not one of Locales, and ErrCountry if
// the recipient's country has no name in the locale's language. The locale's own
// country needs no name, because domestic letters do not print it.
func (Writer) CheckCountry(l cancellation.Locale, code string) error {
	words, err := wordsIn(l)
	if err == nil && code != l.Country() {
		_, err = words.Letter.country(code)
	}
	return err
}

// Write returns the letter as a document. Its errors are those of Check for a value, a
// *cancellation.ImageError, and the errors of this package.
func (Writer) Write(l cancellation.Letter) (cancellation.Document, error) {
	all, err := wordsIn(l.Locale)
	if err != nil {
		return cancellation.Document{}, err
	}
	if l, err = normalize(l); err != nil {
		return cancellation.Document{}, err
	}
	if !isComplete(l) {
		return cancellation.Document{}, ErrIncomplete
	}
	words := all.Letter.noticesFor(l.Sector, l.Reason)
	if l.Reason.Kind == deadline.ReasonWithdrawal {
		words = words.withdrawing(all.Withdrawal, all.Objection.Mandate)
	}
	if l.Answers {
		words = words.answering(all.Answer)
	}
	if l.Objection != nil {
		words = words.objecting(all.Objection, len(l.Objection.Debits), l.Enclosed != nil)
	}
	var signature picture
	if len(l.Signature.Image) > 0 {
		if signature, err = newPicture(l.Signature.Image); err != nil {
			return cancellation.Document{}, err
		}
	}
	c := newComposer(l, words, signature)
	pdf, err := compose(c)
	if err != nil {
		return cancellation.Document{}, err
	}
	joined, err := c.joined()
	if err != nil {
		return cancellation.Document{}, err
	}
	if len(pdf) > MaxSize {
		return cancellation.Document{}, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(pdf))
	}
	return cancellation.Document{
		PDF: pdf, Subject: plain(c.subject()), Text: c.mail(), FileName: words.FileName, Joined: joined,
		AddressOnTheRight: c.onTheRight(),
	}, nil
}

// joined returns the letter together with its evidence, or nil without evidence.
func (c *composer) joined() ([]byte, error) {
	if c.letter.Enclosed == nil {
		return nil, nil
	}
	s, err := newSummary(c.letter.Enclosed.Document, c.letter.Enclosed.Sender)
	if err != nil {
		return nil, err
	}
	return compose(c, s)
}

func isComplete(l cancellation.Letter) bool {
	signatures := 0
	for _, has := range []bool{l.Signature.Text != "", len(l.Signature.Image) > 0, l.SignByHand} {
		if has {
			signatures++
		}
	}
	return !l.Date.IsZero() && l.Sender.Name != "" && l.Organization != "" && l.Product != "" &&
		signatures == 1
}

// normalize returns the letter with the printed form of all texts.
func normalize(l cancellation.Letter) (cancellation.Letter, error) {
	l.Address.Recipient = slices.Clone(l.Address.Recipient)
	l.References = slices.Clone(l.References)
	for _, text := range texts(&l) {
		printed, err := printable(*text)
		if err != nil {
			return l, err
		}
		*text = printed
	}
	var err error
	l.Reason.Text, err = Printable(l.Reason.Text) // it may be longer
	return l, err
}

// texts returns all texts of the letter.
func texts(l *cancellation.Letter) []*string {
	texts := []*string{
		&l.Sender.Name, &l.Sender.Street, &l.Sender.PostalCode, &l.Sender.City, &l.Sender.Email, &l.Sender.PhoneNumber,
		&l.Mailbox, &l.Organization, &l.Address.Street, &l.Address.PostalCode, &l.Address.City, &l.Email, &l.Fax,
		&l.Product, &l.Signature.Text, &l.Reason.Article,
	}
	for i := range l.Address.Recipient {
		texts = append(texts, &l.Address.Recipient[i])
	}
	for i := range l.References {
		texts = append(texts, &l.References[i].Label, &l.References[i].Value)
	}
	return texts
}

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
	ErrIncomplete = errors.New("letter: date, sender, organization or product is missing, or signatures are not one")
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
