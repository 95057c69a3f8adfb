package syncer

import (
	"aviso/internal/pfm"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/transaction"
)

// enriched adapts the rules to transaction.Enrich.
func enriched(t transaction.Transaction, countryCode string) (pfm.Category, pfm.Merchant, pfm.CategorySource, string) {
	r := enrich.Enrich(enrich.Input{
		Note: t.Note, Counterparty: t.Counterparty, Payee: t.Payee,
		Amount: t.Amount, CurrencyCode: t.Currency, CountryCode: countryCode,
		MCC: t.MerchantCategoryCode, BankTransactionCode: t.BankTransactionCode,
		PurposeCode: t.PurposeCode, CreditorID: t.CreditorID,
	})
	return r.Category, r.Merchant, r.Source, r.RuleID
}
