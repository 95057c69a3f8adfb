// Package bankdb stores the sandbox banks' records in DynamoDB.
package bankdb

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
)

// Store implements bank.Store.
type Store struct{ records *sandboxdb.Store }

var _ bank.Store = (*Store)(nil)

// New returns a store backed by the named table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{sandboxdb.New(db, table, now)}
}

// InMemory returns a store for tests.
func InMemory() *Store { return &Store{new(sandboxdb.Memory).Store()} }

// Every row is read by its whole key; approvals are also listed.
func consentKey(bank, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#CONSENT#" + id, SK: "CONSENT"}
}

func authorisationKey(bank, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#AUTHORISATION#" + id, SK: "AUTHORISATION"}
}

func customerKey(bank, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#CUSTOMER#" + id, SK: "CUSTOMER"}
}

// approvalKey puts the approvals of all banks into one partition, because they are rare.
func approvalKey(id string) sandboxdb.Key { return sandboxdb.Key{PK: "APPROVALS", SK: id} }

func ownRowsKey(bank, ledger, account string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#ROWS#" + ledger, SK: account}
}

func tokenGrantKey(bank, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#TOKENS#" + id, SK: "TOKENS"}
}

func appRequestKey(bank, code string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#APP#" + code, SK: "APP"}
}

func callKey(c bank.Call) sandboxdb.Key {
	return sandboxdb.Key{
		PK: consentKey(c.Bank, c.ConsentID).PK, SK: "CALLS#" + c.Day + "#" + c.Endpoint + "#" + c.Account,
	}
}

// Consent reads a consent.
func (s *Store) Consent(ctx context.Context, slug, id string) (bank.Consent, error) {
	return sandboxdb.Get[bank.Consent](ctx, s.records, consentKey(slug, id))
}

// Authorisation reads an authorisation.
func (s *Store) Authorisation(ctx context.Context, slug, id string) (bank.Authorisation, error) {
	return sandboxdb.Get[bank.Authorisation](ctx, s.records, authorisationKey(slug, id))
}

// TokenGrant reads the tokens of a consent.
func (s *Store) TokenGrant(ctx context.Context, slug, id string) (bank.TokenGrant, error) {
	return sandboxdb.Get[bank.TokenGrant](ctx, s.records, tokenGrantKey(slug, id))
}

// AppRequest reads a request in the bank's app.
func (s *Store) AppRequest(ctx context.Context, slug, code string) (bank.AppRequest, error) {
	return sandboxdb.Get[bank.AppRequest](ctx, s.records, appRequestKey(slug, code))
}

// Customer reads a customer.
func (s *Store) Customer(ctx context.Context, slug, id string) (bank.Customer, error) {
	return sandboxdb.Get[bank.Customer](ctx, s.records, customerKey(slug, id))
}

// Approval reads an approval.
func (s *Store) Approval(ctx context.Context, id string) (bank.Approval, error) {
	return sandboxdb.Get[bank.Approval](ctx, s.records, approvalKey(id))
}

// Approvals returns approvals, newest first.
func (s *Store) Approvals(ctx context.Context, before string, limit int) ([]bank.Approval, error) {
	return sandboxdb.List[bank.Approval](ctx, s.records, approvalKey("").PK, before, limit, nil)
}

// OwnRows reads the rows that a developer has added to an account.
func (s *Store) OwnRows(ctx context.Context, slug, ledger, account string) (bank.OwnRows, error) {
	return sandboxdb.Get[bank.OwnRows](ctx, s.records, ownRowsKey(slug, ledger, account))
}

// Save writes all records in one transaction, each on condition that its version has not
// changed.
func (s *Store) Save(ctx context.Context, records ...bank.Record) error {
	writes := make([]sandboxdb.Write, len(records))
	for i, r := range records {
		switch r := r.(type) {
		case bank.Consent:
			writes[i] = sandboxdb.PutNext(consentKey(r.Bank, r.ID), &r, &r.Version)
		case bank.Authorisation:
			writes[i] = sandboxdb.PutNext(authorisationKey(r.Bank, r.ID), &r, &r.Version)
		case bank.Customer:
			writes[i] = sandboxdb.PutNext(customerKey(r.Bank, r.ID), &r, &r.Version)
		case bank.Approval:
			writes[i] = sandboxdb.PutNext(approvalKey(r.ID), &r, &r.Version)
		case bank.OwnRows:
			writes[i] = sandboxdb.PutNext(ownRowsKey(r.Bank, r.Ledger, r.Account), &r, &r.Version)
		case bank.TokenGrant:
			writes[i] = sandboxdb.PutNext(tokenGrantKey(r.Bank, r.ID), &r, &r.Version)
		case bank.AppRequest:
			writes[i] = sandboxdb.PutNext(appRequestKey(r.Bank, r.Code), &r, &r.Version)
		default:
			return fmt.Errorf("not a record: %T", r)
		}
	}
	return s.records.Save(ctx, writes)
}

// Count counts a call and returns the number of calls including it.
func (s *Store) Count(ctx context.Context, c bank.Call) (int, error) {
	return s.records.Count(ctx, callKey(c), c.KeepUntil)
}
