package enrich

import (
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Transaction implements transaction.Enrich.
func Transaction(t transaction.Transaction, countryCode string) (pfm.Category, pfm.Merchant, pfm.CategorySource, string) {
	r := Enrich(Input{t, countryCode})
	return r.Category, r.Merchant, r.Source, r.RuleID
}
