package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"aviso/internal/pfm/transaction"
	"aviso/internal/textfold"
)

// KeyOf returns the key of a transaction's group. Transactions are grouped by
// merchant, or by the counterparty's account, name or creditor identifier, whichever
// is known first, and by currency and direction. The key is a digest because it may
// identify a person. KeyOf returns false if the counterparty is unknown or nothing
// was paid: such a transaction belongs to no group.
//
// Groups are best stored per account. A sync of one account then touches no groups
// of another, and an account's groups are deleted with it.
func KeyOf(t transaction.Transaction) (string, bool) {
	if t.State == transaction.Void || t.Amount.Sign() == 0 {
		return "", false
	}
	kind, who := "", ""
	for _, by := range [][2]string{
		{"merchant", t.Merchant.ID},
		{"account", strings.ToUpper(strings.ReplaceAll(t.Payee, " ", ""))},
		{"name", textfold.Name(t.Counterparty)},
		{"creditor", strings.ToUpper(t.CreditorID)},
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
		Mandate:       t.MandateID != "" || family == "RDDT" || family == "IDDT",
		StandingOrder: sub == "STDO",
	}
}
