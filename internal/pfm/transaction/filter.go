package transaction

import (
	"strings"
	"unicode/utf8"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// Filter filters a list of transactions; zero fields match everything.
type Filter struct {
	AccountID string
	// From and To are inclusive.
	From, To pfm.Date
	State    RecordState
	// Category is an L1 or L2 ID.
	Category   int
	MerchantID string

	Type RecordType
	// AmountFrom and AmountTo are inclusive, and negative for expenses.
	AmountFrom, AmountTo *money.Amount
	// Words are the words of a text, as SearchWords returns them.
	Words []string
}

// shortWord is the length up to which a word must begin a word of the transaction.
// Anywhere, such a word would be found in almost every text.
const shortWord = 2

// SearchWords returns the words of a text that a transaction must contain, folded as
// its own text is. There are none in a text without a letter or digit. A word with signs
// in it, such as E.ON, stays one.
func SearchWords(text string) []string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		if word = fold(word); word == "" {
			continue
		}
		if first, _, _ := strings.Cut(word, " "); utf8.RuneCountInString(first) <= shortWord {
			word = " " + word
		}
		words = append(words, word)
	}
	return words
}

// fold returns a text without case, accents and signs, and with all spellings of an
// umlaut the same.
func fold(text string) string { return textfold.Short(textfold.Name(text)) }

// ReadsContent reports whether f has conditions on what a transaction contains. Matches
// checks these; no key or index of a store can.
func (f Filter) ReadsContent() bool {
	return f.Type != "" || f.AmountFrom != nil || f.AmountTo != nil || len(f.Words) > 0
}

// Matches reports whether t has the type, the amount and the words.
func (f Filter) Matches(t Transaction) bool {
	if f.Type != "" && f.Type != t.Type() ||
		f.AmountFrom != nil && t.Amount.Cmp(*f.AmountFrom) < 0 || f.AmountTo != nil && t.Amount.Cmp(*f.AmountTo) > 0 {
		return false
	}
	if len(f.Words) == 0 {
		return true
	}
	text := t.searchText()
	for _, word := range f.Words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// searchText returns the folded fields that people search in. A space is before every
// word, and no two fields run together.
func (t Transaction) searchText() string {
	var text strings.Builder
	for _, field := range []string{t.Note, t.Merchant.Name, t.Counterparty, t.Payee, t.MandateID, t.CreditorID} {
		if field != "" {
			text.WriteString("\n " + fold(field))
		}
	}
	return text.String()
}
