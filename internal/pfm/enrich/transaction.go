package enrich

import (
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Transaction implements transaction.Enrich.
func Transaction(t transaction.Transaction, countryCode string) (pfm.Category, pfm.Merchant, pfm.CategorySource, string) {
	r := Enrich(Input{
		Note: t.Note, Counterparty: t.Counterparty, Payee: t.Payee,
		Amount: t.Amount, CountryCode: countryCode,
		MCC: t.MerchantCategoryCode, BankTransactionCode: t.BankTransactionCode,
		PurposeCode: t.PurposeCode, CreditorID: t.CreditorID,
	})
	return r.Category, r.Merchant, r.Source, r.RuleID
}
