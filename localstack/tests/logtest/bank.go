package logtest

import (
	"context"
	"iter"

	"aviso/internal/pfm"
)

// Banks returns the same banks. What they say about users is private.
func Banks(of pfm.SupplierOf) pfm.SupplierOf {
	return func(b pfm.BankEndpoint) pfm.Supplier { return bank{of(b)} }
}

type bank struct{ pfm.Supplier }

func (b bank) Accounts(ctx context.Context, at pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	accounts, err := b.Supplier.Accounts(ctx, at, s)
	for _, a := range accounts {
		Private(a.IBAN, a.BBAN, a.MaskedPAN, a.Name)
	}
	return accounts, err
}

func (b bank) Transactions(
	ctx context.Context, at pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date,
) iter.Seq2[pfm.BankTransaction, error] {
	return func(yield func(pfm.BankTransaction, error) bool) {
		for row, err := range b.Supplier.Transactions(ctx, at, s, resourceID, from) {
			Private(row.CreditorName, row.CreditorAccount, row.DebtorName, row.DebtorAccount,
				row.UltimateCreditor, row.UltimateDebtor, row.Remittance, row.AdditionalInformation)
			if !yield(row, err) {
				return
			}
		}
	}
}
