package letter

import (
	"strings"

	"aviso/internal/cancellation"
)

// objection is the text of a letter that objects to debits after the end of a contract. Its
// texts have {product}, {sent} for the date of the cancellation, {end} for that of the end,
// {debits} for amounts with their dates, and {digest} for the SHA-256 of the cancellation.
type objection struct {
	// Subject has {product}.
	Subject string
	// Notice says what happened, Claim demands the money back within 14 days, Mandate
	// withdraws the authority to debit at once, and Proof refers to the cancellation. OnRequest
	// or Enclosed follows: the evidence is offered, or it goes with the letter.
	// Claims is the claim if there are several debits.
	Notice, Claim, Claims, Mandate, Proof, OnRequest, Enclosed string
	// MailNotice has {product}, {end} and {date}. FileName is ASCII.
	MailNotice, FileName string
}

// objecting returns the words of a letter that objects to debits, with or without evidence.
func (w wording) objecting(o objection, debits int, enclosed bool) wording {
	if debits > 1 {
		o.Claim = o.Claims
	}
	w.Subject, w.Notice, w.Confirmation, w.DirectDebit = o.Subject, o.Notice, o.Claim, o.Mandate
	w.MailNotice, w.Attached, w.MailConfirmation, w.FileName = o.MailNotice, "", o.Claim, o.FileName
	w.Contact = o.Proof + " " + o.OnRequest
	if enclosed {
		w.Contact = o.Proof + " " + o.Enclosed
		w.MailNotice += " " + o.Enclosed
	}
	return w
}

// debits returns the amounts with their dates: "13,99 EUR (4. April 2026)".
func (w *wording) debits(o cancellation.Objection) string {
	list := make([]string, len(o.Debits))
	for i, d := range o.Debits {
		whole, cents, _ := strings.Cut(strings.TrimPrefix(d.Amount.String(), "-"), ".")
		day := strings.ReplaceAll(w.formatDate(d.Day()), " ", nbsp)
		list[i] = whole + w.Point + cents + "00"[min(len(cents), 2):] + nbsp + d.Currency + " (" + day + ")"
	}
	return strings.Join(list, "; ")
}
