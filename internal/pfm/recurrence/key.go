package recurrence

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// KeyOf tells which group of its account a transaction belongs to: by merchant,
// else by the counterparty's account, else by its name, else by its creditor
// identifier; currency and direction apart. It is a digest, since it may stand
// for a person. False where nothing tells who the counterparty is, and for what
// was never paid; such a transaction is of no group.
//
// Groups are best kept per account: what syncs one account then touches no group
// of another, and an account's groups go with it.
func KeyOf(t pfm.Transaction) (string, bool) {
	if t.State == pfm.Void || t.Amount.Sign() == 0 {
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

// RowOf is what a group is told of a transaction.
func RowOf(t pfm.Transaction) Row {
	family, sub := "", ""
	if parts := strings.Split(strings.ToUpper(t.BankTransactionCode), "-"); len(parts) == 3 {
		family, sub = parts[1], parts[2]
	}
	return Row{
		ID: t.ID, Date: t.RecordDate, Amount: t.Amount, Category: t.Category.SubcategoryID, Merchant: t.Merchant.ID != "",
		// ISO 20022: direct debits that were received or issued; standing orders.
		Mandate:  t.MandateID != "" || family == "RDDT" || family == "IDDT",
		Standing: sub == "STDO",
	}
}
