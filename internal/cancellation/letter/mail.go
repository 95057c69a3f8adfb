package letter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// subject returns one line with the product and the number of the contract or customer.
func (c *composer) subject() string {
	subject := c.title()
	if i := c.numbered(); i >= 0 {
		subject += nbsp + "– " + unbroken(c.letter.References[i].Label+" "+c.letter.References[i].Value)
	}
	return subject
}

// unbroken keeps a label and its number on one line, unless they are long.
func unbroken(text string) string {
	const longest = 40
	if utf8.RuneCountInString(text) > longest {
		return text
	}
	return strings.ReplaceAll(text, " ", nbsp)
}

// numbered returns the index of the reference in the subject, or -1.
func (c *composer) numbered() int {
	return slices.IndexFunc(c.letter.References, func(r cancellation.Reference) bool { return r.IsNumber })
}

// value returns the text of a reference.
func (c *composer) value(r cancellation.Reference) string {
	if r.Date.IsZero() {
		return r.Value
	}
	return c.words.formatDate(r.Date)
}

func (c *composer) title() string { return fill(c.words.Subject, "product", c.letter.Product) }

// mail returns the text of the e-mail with the letter attached. Each paragraph is one line, which mail programs wrap,
// and an empty line separates paragraphs.
func (c *composer) mail() string {
	l := c.letter
	notice := c.words.MailNotice
	if !l.End.IsZero() {
		notice = c.words.MailNoticeTo
	}
	paragraphs := []string{c.filled(c.words.Salutation), c.filled(strings.Join(nonEmpty(notice, c.words.Attached), " "))}
	var references []string
	for _, r := range l.References {
		references = append(references, fill(c.words.Reference, "label", r.Label, "value", c.value(r)))
	}
	if len(references) > 0 {
		paragraphs = append(paragraphs, strings.Join(references, "\n"))
	}
	paragraphs = append(paragraphs, c.confirmation())
	if l.DeleteData {
		paragraphs = append(paragraphs, c.words.MailDeletion)
	}
	from := append([]string{l.Sender.Name}, c.senderAddress()...)
	from = append(from, c.senderContact()...)
	paragraphs = append(paragraphs, c.words.Closing, strings.Join(from, "\n"))
	return plain(strings.Join(paragraphs, "\n\n") + "\n")
}

// confirmation asks for an answer and says where to send it. It is empty if the letter has no address.
func (c *composer) confirmation() string {
	email, hasAddress := c.letter.ReplyTo(), c.letter.Sender.Street != "" && c.letter.Sender.City != ""
	answer := ""
	switch {
	case email != "" && hasAddress:
		answer = c.words.Answer
	case email != "":
		answer = c.words.AnswerByEmail
	case hasAddress:
		answer = c.words.AnswerByPost
	}
	return c.filled(strings.Join(nonEmpty(c.words.Confirmation, answer), " "))
}

// plain replaces no-break spaces with plain ones.
func plain(text string) string { return strings.ReplaceAll(text, nbsp, " ") }
