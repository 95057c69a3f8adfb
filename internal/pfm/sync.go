package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// syncLease is longer than the function may run, so that a lease outlives
	// its holder only when the holder is gone.
	syncLease = 3 * time.Minute
	// overlapDays is how far back a later sync reads again: pending rows are
	// booked, and bookings arrive, some days after.
	overlapDays = 14
	// pendingDays is how long a row may be pending before the first day that is
	// read again, so that it is still seen to be booked or to have vanished.
	pendingDays = 45
	// fallbackDays is asked for when a bank refuses a longer history: what a
	// consent allows without the user (RTS, article 10).
	fallbackDays = 90
	// MaxSyncAttempts is how often a sync is tried before it is given up.
	MaxSyncAttempts = 5
	// accountsAtOnce is how many accounts are read side by side.
	accountsAtOnce = 4
)

// Lease is the right of one sync to write a connection's data.
type Lease struct {
	Token string
	Until time.Time
}

// Syncer reads connections from their banks.
type Syncer struct {
	store      Store
	bank       Supplier
	categorise Enrich
	token      ChangesToken
	now        func() time.Time
	newID      func() string
}

// NewSyncer wires the service.
func NewSyncer(
	store Store, bank Supplier, enrich Enrich, token ChangesToken, now func() time.Time, newID func() string,
) *Syncer {
	return &Syncer{store: store, bank: bank, categorise: enrich, token: token, now: now, newID: newID}
}

// Sync does a job. Doing it twice, or two at the same time, is harmless: one
// sync at a time holds the connection's lease, and a job that has been done
// leaves nothing to do. attempt counts from 1. *outcome.Later asks for another.
func (s *Syncer) Sync(ctx context.Context, job SyncJob, attempt int) error {
	now := clock.Read(s.now)
	lease := Lease{Token: s.newID(), Until: now.Add(syncLease)}
	c, err := s.store.AcquireSync(ctx, job.Owner(), job.ConnectionID, lease, now)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil // deleted meanwhile
	case errors.Is(err, outcome.ErrChanged):
		return &outcome.Later{After: syncLease, Err: errors.New("another sync of the connection is running")}
	case err != nil:
		return fmt.Errorf("acquire sync: %w", err)
	}
	if !c.IsActive() || c.SyncRequestedAt.IsZero() { // done already, or not to be done any more
		return s.giveBack(ctx, lease, c, func(current *Connection) {
			if !current.IsActive() {
				current.SyncRequestedAt = time.Time{}
			}
		})
	}
	session := Session{ConsentID: c.ConsentID}
	if attempt == 1 { // later the user has gone
		session.PSUIPAddress = job.PSUIPAddress
	}
	return s.finish(ctx, c, lease, s.read(ctx, c, lease, session), attempt)
}

// finish writes down how the sync ended.
func (s *Syncer) finish(ctx context.Context, c Connection, lease Lease, cause error, attempt int) error {
	var changes SyncChanges
	if cause == nil {
		changes, cause = s.store.SyncChanges(ctx, c.Owner, c.ID)
	}
	if errors.Is(cause, outcome.ErrChanged) { // the lease is lost, or the connection is gone
		return nil
	}
	now := clock.Read(s.now)
	status, reason := c.Status, ReasonNone
	var bank *SupplierError
	isBank := errors.As(cause, &bank)
	var later *outcome.Later
	switch {
	case cause == nil:
	case isBank && !bank.Temporary():
		status, reason = s.consentLost(ctx, c, bank)
	default:
		// Our own failures (a store that is busy) are temporary as well.
		reason = ReasonInternalError
		if isBank {
			reason = StatusReason(bank.Kind)
		}
		if attempt < MaxSyncAttempts {
			later = &outcome.Later{After: retryDelay(attempt, bank), Err: cause}
		}
	}
	again := later
	err := s.giveBack(ctx, lease, c, func(current *Connection) {
		// Somebody may have moved it on meanwhile, or the user may have given a
		// new consent, about which this sync knows nothing.
		if current.Status != c.Status || current.ConsentID != c.ConsentID {
			return
		}
		current.move(status, reason, now)
		current.Reason, current.UpdatedAt = reason, now
		if cause == nil {
			current.LastSuccessAt = now
			current.tellRefreshed(changes, s.token, now)
		}
		if later == nil && current.SyncRequestedAt.Equal(c.SyncRequestedAt) { // else another one was asked for
			current.SyncRequestedAt = time.Time{}
		}
		again = later
		if later != nil && !current.takeUnattended(now) { // the bank will have no more of it today
			again, current.SyncRequestedAt = nil, time.Time{}
		}
		if again == nil {
			current.SyncEndedAt = now
		}
	})
	if err == nil && again != nil {
		return again
	}
	return err
}

// giveBack ends the lease and applies the outcome; when the lease is lost, there
// is nothing to give back and nothing to say. It is written even when the
// function's time is over, so that the reason is kept.
func (s *Syncer) giveBack(ctx context.Context, lease Lease, c Connection, apply func(*Connection)) error {
	err := s.store.FinishSync(context.WithoutCancel(ctx), lease, c.Owner, c.ID, apply)
	if err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("finish sync: %w", err)
	}
	return nil
}

// retryDelay is how long to wait after a failed attempt: 30 s, 2, 8, 32
// minutes, or what the bank asks for within reason.
func retryDelay(attempt int, bank *SupplierError) time.Duration {
	delay := 30 * time.Second << (2 * (min(attempt, MaxSyncAttempts) - 1))
	if bank != nil && bank.RetryAfter > delay {
		delay = min(bank.RetryAfter, time.Hour)
	}
	return delay
}

// consentLost is where a bank's refusal leaves the connection. Where the refusal
// does not tell why, the bank is asked for the state of the consent.
func (s *Syncer) consentLost(ctx context.Context, c Connection, refusal *SupplierError) (ConnectionStatus, StatusReason) {
	switch refusal.Kind {
	case SupplierConsentExpired, SupplierConsentInvalid, SupplierConsentUnknown:
	default:
		return c.Status, StatusReason(refusal.Kind)
	}
	// Where the bank does not tell the state either, its refusal is all we know:
	// an invalid consent may not have ended.
	state, lastDay := ConsentState(""), Date("")
	if refusal.Kind == SupplierConsentInvalid {
		state = ConsentValid
	}
	if provider, err := s.store.Provider(ctx, c.ProviderID); err == nil {
		if consent, err := s.bank.Consent(ctx, provider.Endpoint, c.ConsentID); err == nil {
			state, lastDay = consent.State, consent.ValidUntil
		}
	}
	switch state {
	case ConsentRevokedByPSU, ConsentRejected:
		return ConnectionRevoked, ReasonConsentRevoked
	case ConsentValid, ConsentReceived, ConsentPartiallyAuthorised:
		// The bank contradicts itself; the user has to authorise again.
		return ConnectionActionRequired, StatusReason(refusal.Kind)
	case ConsentTerminatedByTPP:
		// We did not end it: the bank did, for a newer consent of the user.
		return ConnectionExpired, ReasonConsentReplaced
	default:
		// Ended before its day, and by the bank's word that day is still to come.
		now := s.now()
		if state == ConsentExpired && now.Before(c.ConsentExpiresAt) && (lastDay == "" || lastDay >= DateOf(now)) {
			return ConnectionExpired, ReasonConsentReplaced
		}
		return ConnectionExpired, ReasonConsentExpired
	}
}

// read brings accounts and transactions up to date.
func (s *Syncer) read(ctx context.Context, c Connection, lease Lease, session Session) error {
	provider, err := s.store.Provider(ctx, c.ProviderID)
	if err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	fetched, err := s.bank.Accounts(ctx, provider.Endpoint, session)
	if err != nil {
		return err
	}
	known, err := s.store.ConnectionAccounts(ctx, c.Owner, c.ID)
	if err != nil {
		return fmt.Errorf("read accounts: %w", err)
	}
	now := clock.Read(s.now)
	accounts := matchAccounts(known, fetched, c.ConsentID)
	for i, f := range fetched {
		if accounts[i].ID == "" {
			accounts[i] = Account{ID: s.newID(), Owner: c.Owner, ConnectionID: c.ID, CreatedAt: now}
		}
		accounts[i] = accounts[i].refreshed(f, c.ConsentID, now)
	}
	if err := s.store.SaveAccounts(ctx, lease, accounts); err != nil {
		return fmt.Errorf("save accounts: %w", err)
	}
	statements, err := s.fetch(ctx, c, provider, session, accounts)
	if err != nil {
		return err
	}
	if err := s.enrich(ctx, c.Owner, provider, statements); err != nil {
		return err
	}
	for _, st := range statements {
		if err := s.saveRows(ctx, lease, st); err != nil {
			return err
		}
	}
	return nil
}

// statement is what a bank tells of one account, from a day on.
type statement struct {
	account Account
	from    Date
	rows    []Transaction
}

// fetch reads the accounts' rows from the bank, some accounts side by side.
func (s *Syncer) fetch(ctx context.Context, c Connection, p Provider, session Session, accounts []Account) ([]statement, error) {
	statements := make([]statement, len(accounts))
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(accountsAtOnce)
	for i, account := range accounts {
		group.Go(func() (err error) {
			from := DateOf(s.now()).AddDays(-p.MaxFetchInterval)
			// An account that came after the last success has yet to be read in
			// full, also when a sync has failed since.
			if !account.CreatedAt.After(c.LastSuccessAt) {
				from = max(from, DateOf(c.LastSuccessAt).AddDays(-overlapDays))
			}
			statements[i], err = s.fetchStatement(gctx, p, session, account, from)
			return err
		})
	}
	return statements, group.Wait()
}

func (s *Syncer) fetchStatement(ctx context.Context, p Provider, session Session, a Account, from Date) (statement, error) {
	rows, err := s.fetchRows(ctx, p, session, a, from)
	var bank *SupplierError
	if errors.As(err, &bank) && bank.BankCode == "PERIOD_INVALID" {
		from = max(from, DateOf(s.now()).AddDays(-fallbackDays))
		rows, err = s.fetchRows(ctx, p, session, a, from)
	}
	// Some banks tell older rows than they were asked for.
	for _, row := range rows {
		from = min(from, row.RecordDate)
	}
	return statement{account: a, from: from, rows: rows}, err
}

func (s *Syncer) fetchRows(ctx context.Context, p Provider, session Session, a Account, from Date) ([]Transaction, error) {
	today := DateOf(s.now())
	var rows []Transaction
	for row, err := range s.bank.Transactions(ctx, p.Endpoint, session, a.ResourceID, from) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, fromBank(row, a, today))
	}
	return rows, nil
}

// enrich finds category and merchant of each row. A transfer between the user's
// own accounts, also those of other banks, comes before everything else.
func (s *Syncer) enrich(ctx context.Context, user owner.User, p Provider, statements []statement) error {
	var all []Transaction
	from := map[string]Date{}
	since := DateOf(s.now())
	for i := range statements {
		st := &statements[i]
		from[st.account.ID] = st.from
		since = min(since, st.from)
		for j := range st.rows {
			row := &st.rows[j]
			row.Category, row.Merchant, row.Source, row.RuleID = s.categorise(*row, p.CountryCode)
			placed := *row
			placed.ID = rowPlace(i, j)
			all = append(all, placed)
		}
	}
	others, err := s.store.TransactionsSince(ctx, user, since.AddDays(-pairDays))
	if err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	for _, other := range others {
		// The other side may also be a row from before what was fetched now.
		if first, fetched := from[other.AccountID]; !fetched || other.RecordDate < first {
			all = append(all, other)
		}
	}
	own := ownTransfers(all)
	for i := range statements {
		for j := range statements[i].rows {
			if row := &statements[i].rows[j]; own[rowPlace(i, j)] {
				row.Category, _ = CategoryOf(TransferOwn)
				row.Merchant, row.Source, row.RuleID = Merchant{}, SourceOwnTransfer, "own-transfer"
			}
		}
	}
	return nil
}

// rowPlace names a fetched row, which has no id yet.
func rowPlace(statement, row int) string { return fmt.Sprintf("%d/%d", statement, row) }

// saveTries is how often rows are compared anew when one of them has changed in
// the meantime: the user may be choosing categories.
const saveTries = 4

// saveRows brings one account's transactions up to date.
func (s *Syncer) saveRows(ctx context.Context, lease Lease, st statement) error {
	now := clock.Read(s.now)
	err := ErrRowChanged
	for try := 0; try < saveTries && errors.Is(err, ErrRowChanged); try++ {
		// A row may have been pending long before the first day asked for.
		known, readErr := s.store.AccountTransactions(ctx, st.account.Owner, st.account.ID, st.from.AddDays(-pendingDays))
		if readErr != nil {
			return fmt.Errorf("read transactions: %w", readErr)
		}
		err = s.store.SaveRows(ctx, lease, st.account.Owner, st.account.ConnectionID, reconcile(known, st.rows, s.newID, now))
	}
	if err != nil {
		return fmt.Errorf("save transactions: %w", err)
	}
	if err := s.store.SaveLabels(ctx, lease, st.account.Owner, st.account.ConnectionID, st.account.ID); err != nil {
		return fmt.Errorf("save labels: %w", err)
	}
	return nil
}
