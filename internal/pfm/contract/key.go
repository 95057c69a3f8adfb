package contract

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/internal/textfold"
)

// KeyOf returns the key of a transaction's group. Transactions are grouped by
// merchant, or by the counterparty's account, name or creditor identifier, or by the
// words of the text, whichever is known first, and by currency and direction. The key
// is a digest because it may identify a person. KeyOf returns false if there is none
// of these, for cash, and if nothing was paid: such a transaction belongs to no group.
//
// Groups are best stored per account. A sync of one account then touches no groups
// of another, and an account's groups are deleted with it.
func KeyOf(t transaction.Transaction) (string, bool) {
	if t.State == transaction.Void || t.Amount.Sign() == 0 || t.Category.SubcategoryID == pfm.TransferCash {
		return "", false
	}
	kind, who := "", ""
	for _, by := range [][2]string{
		{"merchant", t.Merchant.ID},
		{"account", strings.ToUpper(strings.ReplaceAll(t.Payee, " ", ""))},
		{"name", textfold.Name(cmp.Or(t.PartyName, t.Counterparty))},
		{"creditor", strings.ToUpper(t.CreditorID)},
		{"words", wordsOf(t)},
	} {
		if by[1] != "" {
			kind, who = by[0], by[1]
			break
		}
	}
	if who == "" {
		return "", false
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{kind, who, t.Currency, string(t.Type())}, "\x00")))
	return hex.EncodeToString(sum[:16]), true
}

// wordsOf returns the words of a text that says what was paid, without those that have digits, which are dates,
// references and amounts.
func wordsOf(t transaction.Transaction) string {
	if c := t.Category.SubcategoryID; c == 0 || c == pfm.UnknownUnknown {
		return ""
	}
	words := slices.DeleteFunc(strings.Fields(textfold.Name(t.Note)), func(w string) bool {
		return strings.ContainsAny(w, "0123456789")
	})
	return strings.Join(words, " ")
}

// isBill reports whether people pay such things under a contract only, so that their payments are agreed on in
// advance even if the bank does not say so.
func isBill(category int) bool {
	return slices.Contains([]int{
		pfm.HousingUtilities, pfm.HousingTelecom, pfm.HousingInsurance, pfm.FinanceInsurance, pfm.FinanceFees,
	}, category)
}

// RowOf returns the Row of a transaction.
func RowOf(t transaction.Transaction) Row {
	family, sub := "", ""
	if parts := strings.Split(strings.ToUpper(t.BankTransactionCode), "-"); len(parts) == 3 {
		family, sub = parts[1], parts[2]
	}
	return Row{
		ID: t.ID, Date: t.RecordDate, Amount: t.Amount, Category: t.Category.SubcategoryID,
		Merchant: t.Merchant.ID != "",
		// The ISO 20022 codes of received and issued direct debits, and of standing orders.
		Mandate: t.MandateID != "" || family == "RDDT" || family == "IDDT" || t.Debit ||
			isBill(t.Category.SubcategoryID),
		StandingOrder: sub == "STDO",
	}
}
