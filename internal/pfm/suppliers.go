package pfm

import (
	"context"
	"iter"
)

// Suppliers is the Supplier of all banks: each bank has its own.
type Suppliers map[SupplierName]Supplier

var _ Supplier = Suppliers{}

func (s Suppliers) of(bank BankEndpoint) Supplier { return s[bank.Supplier()] }

// RequestConsent implements Supplier.
func (s Suppliers) RequestConsent(
	ctx context.Context, bank BankEndpoint, req ConsentRequest,
) (ConsentProgress, error) {
	return s.of(bank).RequestConsent(ctx, bank, req)
}

// ContinueConsent implements Supplier.
func (s Suppliers) ContinueConsent(
	ctx context.Context, bank BankEndpoint, req ConsentRequest, session Session, a UserAnswer,
) (ConsentProgress, error) {
	return s.of(bank).ContinueConsent(ctx, bank, req, session, a)
}

// Consent implements Supplier.
func (s Suppliers) Consent(ctx context.Context, bank BankEndpoint, session Session) (Consent, error) {
	return s.of(bank).Consent(ctx, bank, session)
}

// EndConsent implements Supplier.
func (s Suppliers) EndConsent(ctx context.Context, bank BankEndpoint, session Session) error {
	return s.of(bank).EndConsent(ctx, bank, session)
}

// RenewSession implements Supplier.
func (s Suppliers) RenewSession(ctx context.Context, bank BankEndpoint, session Session) (Session, error) {
	return s.of(bank).RenewSession(ctx, bank, session)
}

// Accounts implements Supplier.
func (s Suppliers) Accounts(ctx context.Context, bank BankEndpoint, session Session) ([]BankAccount, error) {
	return s.of(bank).Accounts(ctx, bank, session)
}

// Transactions implements Supplier.
func (s Suppliers) Transactions(
	ctx context.Context, bank BankEndpoint, session Session, resourceID string, from Date,
) iter.Seq2[BankTransaction, error] {
	return s.of(bank).Transactions(ctx, bank, session, resourceID, from)
}
