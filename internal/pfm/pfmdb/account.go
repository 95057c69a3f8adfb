package pfmdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

type accountRow struct {
	ID           string       `dynamodbav:"id"`
	Partner      string       `dynamodbav:"partner"`
	User         string       `dynamodbav:"user"`
	ConnectionID string       `dynamodbav:"connectionId"`
	Name         string       `dynamodbav:"name"`
	Number       string       `dynamodbav:"number,omitempty"`
	IBAN         string       `dynamodbav:"iban,omitempty"`
	Type         string       `dynamodbav:"type"`
	Currency     string       `dynamodbav:"currency"`
	Balance      money.Amount `dynamodbav:"balance"`
	CreatedAt    int64        `dynamodbav:"createdAt"`
	UpdatedAt    int64        `dynamodbav:"updatedAt"`
	HeldSince    int64        `dynamodbav:"heldSince,omitempty"`
	ResourceID   string       `dynamodbav:"resourceId"`
	ConsentID    string       `dynamodbav:"consentId"`
	// SignsInverted is set on card accounts only.
	SignsInverted bool   `dynamodbav:"signsInverted,omitempty"`
	Hash          string `dynamodbav:"identificationHash,omitempty"`
}

// AccountViews reads connections and accounts with one query, since their keys are
// adjacent. A page begins at the connection of the last account on the previous
// page because that row is needed again. Users have a handful of accounts.
func (s *Store) AccountViews(
	ctx context.Context, user owner.User, limit int, position string,
) ([]connection.AccountView, string, error) {
	from := connectionPrefix
	if position != "" {
		from, _, _ = strings.Cut(position, accountInfix)
	}
	var page []connection.AccountView // short: room for the limit would take 50 KB
	var holder connection.Connection
	var lastKey string
	for row, err := range s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Between(from, connectionPrefix+highest), Eventual: true,
	}) {
		if err != nil {
			return nil, "", err
		}
		sk := dynamo.KeyOf(row).SK
		if !isAccount(sk) {
			if holder, err = toConnection(row); err != nil {
				return nil, "", err
			}
			if holder.Status == connection.Deleting {
				holder = connection.Connection{}
			}
			continue
		}
		account, err := toAccount(row)
		if err != nil {
			return nil, "", err
		}
		// If the connection is deleted or being deleted, the account will soon be too.
		if sk <= position || account.ConnectionID != holder.ID {
			continue
		}
		if len(page) == limit {
			return page, lastKey, nil
		}
		page, lastKey = append(page, connection.AccountView{Account: account, Connection: holder}), sk
	}
	return page, "", nil
}

// ConnectionAccounts reads a connection's accounts consistently.
func (s *Store) ConnectionAccounts(
	ctx context.Context, user owner.User, connectionID string,
) ([]pfm.Account, error) {
	accounts := accountKey(user, connectionID, "")
	rows := s.table.Query(ctx, dynamo.Query{Partition: accounts.PK, Sort: dynamo.Prefix(accounts.SK)})
	return dynamo.Collect(rows, toAccount)
}

func toAccountRow(a pfm.Account) accountRow {
	return accountRow{
		ID: a.ID, Partner: string(a.Owner.Partner), User: string(a.Owner.ID), ConnectionID: a.ConnectionID,
		Name: a.Name, Number: a.Number, IBAN: a.IBAN, Type: string(a.Type), Currency: a.Currency, Balance: a.Balance,
		CreatedAt: dynamo.Millis(a.CreatedAt), UpdatedAt: dynamo.Millis(a.UpdatedAt),
		HeldSince: dynamo.Millis(a.HeldSince), ResourceID: a.ResourceID, ConsentID: a.ConsentID,
		SignsInverted: a.SignsInverted,
		Hash:          a.IdentificationHash,
	}
}

// toAccount decodes an accountRow.
func toAccount(row dynamo.Item) (pfm.Account, error) {
	r, err := dynamo.Decode[accountRow](row)
	return pfm.Account{
		ID: r.ID, Owner: toOwner(r.Partner, r.User), ConnectionID: r.ConnectionID, Name: r.Name, Number: r.Number,
		IBAN: r.IBAN, Type: pfm.AccountType(r.Type), Currency: r.Currency, Balance: r.Balance,
		CreatedAt: dynamo.FromMillis(r.CreatedAt), UpdatedAt: dynamo.FromMillis(r.UpdatedAt),
		HeldSince: dynamo.FromMillis(r.HeldSince), ResourceID: r.ResourceID, ConsentID: r.ConsentID,
		SignsInverted: r.SignsInverted, IdentificationHash: r.Hash,
	}, err
}
