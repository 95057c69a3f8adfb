package connection

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// categoriseAll sets the category and merchant of each row by what the bank says of it.
func (r *reading) categoriseAll(statements []transaction.Statement) {
	for _, st := range statements {
		for i := range st.Rows {
			st.Rows[i] = r.categorise(st.Rows[i], r.provider.CountryCode)
		}
	}
}

// enrich sets the categories that do not follow from the row alone. A transfer between the
// user's own accounts, including those at other banks, takes precedence over every other
// rule, and the user's choice for the merchant over that.
func (r *reading) enrich(ctx context.Context, statements []transaction.Statement) error {
	var all []transaction.Transaction
	from := map[string]pfm.Date{}
	since := pfm.DateOf(clock.Now(ctx, r.now))
	for i := range statements {
		st := &statements[i]
		from[st.ID] = st.From
		since = min(since, st.From)
		for j := range st.Rows {
			withID := st.Rows[j]
			withID.ID = temporaryID(i, j)
			all = append(all, withID)
		}
	}
	others, err := r.store.TransactionsSince(ctx, r.Connection.Owner, since.AddDays(-transaction.PairDays))
	if err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	for _, other := range others {
		// The other side may be a row from before the days just fetched.
		if first, fetched := from[other.AccountID]; !fetched || other.RecordDate < first {
			all = append(all, other)
		}
	}
	own := transaction.OwnTransfers(all)
	for i := range statements {
		for j := range statements[i].Rows {
			if row := &statements[i].Rows[j]; own[temporaryID(i, j)] {
				row.Category, _ = pfm.CategoryOf(pfm.TransferOwn)
				row.Merchant, row.PartyName, row.Source, row.RuleID = pfm.Merchant{}, "", pfm.SourceOwnTransfer, "own-transfer"
			}
			statements[i].Rows[j] = r.Holdings.Choices.With(statements[i].Rows[j])
		}
	}
	return nil
}

// temporaryID identifies a fetched row, which has no ID yet.
func temporaryID(statement, row int) string { return fmt.Sprintf("%d/%d", statement, row) }

// saveTries is how often rows are compared again because one of them, or the user's choices
// for merchants, have changed in the meantime. That happens when the user sets categories.
const saveTries = 4

// saveRows updates one account's transactions. It reports whether the same statement would
// change nothing more.
func (r *reading) saveRows(ctx context.Context, st transaction.Statement) (settled bool, err error) {
	a, now := st.Account, clock.Now(ctx, r.now)
	err = pfm.ErrRowChanged
	for try := 0; try < saveTries && errors.Is(err, pfm.ErrRowChanged); try++ {
		if try > 0 {
			if err := r.chooseAgain(ctx, st); err != nil {
				return false, err
			}
		}
		// A row may have been pending since long before the first day requested.
		known, readErr := r.store.AccountTransactions(ctx, a.Owner, a.ID, st.From.AddDays(-transaction.PendingDays))
		if readErr != nil {
			return false, fmt.Errorf("read transactions: %w", readErr)
		}
		changes := transaction.Reconcile(known, st, r.newID, now)
		settled = transaction.IsSettled(known, changes, st, r.newID, now)
		err = r.store.SaveRows(ctx, r.lease, a.Owner, a.ConnectionID, changes)
	}
	if err != nil {
		return false, fmt.Errorf("save transactions: %w", err)
	}
	if err := r.store.SaveLabels(ctx, r.lease, a.Owner, a.ConnectionID, a.ID); err != nil {
		return false, fmt.Errorf("save labels: %w", err)
	}
	return settled, nil
}
