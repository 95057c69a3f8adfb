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

// AccountViews reads a page of a user's accounts. It begins at the connection of the last account
// on the previous page because that row is needed again. Users have a handful of accounts.
func (s *Store) AccountViews(
	ctx context.Context, user owner.User, limit int, position string,
) ([]connection.AccountView, string, error) {
	from, _, _ := strings.Cut(position, accountInfix)
	held, err := s.holdings(ctx, user, from, true)
	sortKey := func(v connection.AccountView) string {
		return accountKey(user, v.Connection.ID, v.Account.ID).SK
	}
	var shown []connection.AccountView
	for _, h := range held.All {
		for _, a := range h.Accounts {
			v := connection.AccountView{Account: a, Connection: h.Connection}
			if h.Connection.Status != connection.Deleting && sortKey(v) > position {
				shown = append(shown, v)
			}
		}
	}
	if len(shown) > limit {
		return shown[:limit], sortKey(shown[limit-1]), nil
	}
	return shown, "", err
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
