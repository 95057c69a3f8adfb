// Package contractdb finds out whether a user has a contract. It is apart from pfmdb so that
// cancellation, which needs no more than that, does not link amounts and recurrence: they would
// take a third of a megabyte and a quarter of its start.
package contractdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Sort is the sort key of groups of payments that hold contracts, in the index byMerchant. No
// merchant has such a name.
const Sort = "SUBSCRIPTION"

// ByMerchant is the index of transactions by merchant, and of groups that hold contracts.
func ByMerchant() dynamo.Index {
	return dynamo.Index{Name: "byMerchant", Partition: "pk", Sort: "merchantSort"}
}

// Join returns what a group's attribute contracts holds.
func Join(ids []string) string { return strings.Join(ids, ",") }

type groupRow struct {
	Contracts string `dynamodbav:"contracts"`
}

// Find returns outcome.ErrNotFound unless the user has the contract, ended or not. Groups that an
// earlier release wrote do not name their contracts; any ID may be in one of them. Find may
// miss the writes of the last second.
func Find(ctx context.Context, table dynamo.Table, user owner.User, id string) error {
	for row, err := range dynamo.Each[groupRow](table.Query(ctx, dynamo.Query{
		Index: ByMerchant(), Partition: user.Key(), Sort: dynamo.Exactly(Sort), Attributes: "contracts", Eventual: true,
	})) {
		if err != nil {
			return err
		}
		if row.Contracts == "" || strings.Contains(row.Contracts, id) {
			return nil
		}
	}
	return outcome.ErrNotFound
}
