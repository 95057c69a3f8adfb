package pfmdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

type accountRow struct {
	pfm.Account
	ownerRow
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

func toAccountRow(a pfm.Account) accountRow { return accountRow{a, toOwnerRow(a.Owner)} }

// toAccount decodes an accountRow.
func toAccount(row dynamo.Item) (pfm.Account, error) {
	r, err := dynamo.Decode[accountRow](row)
	r.Owner = r.owner()
	return r.Account, err
}
