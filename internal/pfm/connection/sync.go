package connection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

const (
	// syncLease is longer than the function may run, so a lease expires only if its
	// holder is gone.
	syncLease = 3 * time.Minute
	// MaxSyncAttempts is how often a sync is tried before it fails for good.
	MaxSyncAttempts = 5
	// maxParallelAccounts is how many accounts are read in parallel.
	maxParallelAccounts = 4
)

// SyncStore stores what a sync reads and writes. AcquireSync acquires the connection's lease, and
// every write requires it: it returns outcome.ErrChanged if the lease is lost or the connection gone.
type SyncStore interface {
	TakeoverStore

	Provider(ctx context.Context, id string) (pfm.Provider, error)
	// AcquireSync acquires the lease until l.Until, and reads what a sync begins with. It returns
	// outcome.ErrChanged if another sync holds the lease, and outcome.ErrNotFound if the user or
	// the connection is gone.
	AcquireSync(ctx context.Context, user owner.User, connectionID string, l Lease, now time.Time) (Acquired, error)
	// SaveSecret replaces the secret of c's session. It returns outcome.ErrChanged if the
	// connection has another consent by now.
	SaveSecret(ctx context.Context, l Lease, c Connection, secret string) error
	// TransactionsSince returns the rows of all of the user's accounts since a day.
	TransactionsSince(ctx context.Context, user owner.User, from pfm.Date) ([]transaction.Transaction, error)
	// AccountTransactions returns the account's rows since a day, read consistently.
	AccountTransactions(ctx context.Context, user owner.User, accountID string, from pfm.Date) ([]transaction.Transaction, error)
	// SaveRows writes the changes of one account, in order and in chunks, together with
	// aggregates and recurrence, and labels the rows that it writes. It returns
	// ErrRowChanged if a row has changed since it was read, or if the user has made another
	// choice for a merchant since l.ChoicesMade; some chunks may have been written by then.
	SaveRows(ctx context.Context, l Lease, user owner.User, connectionID string, changes []transaction.RowChange) error
	// SaveLabels writes the outstanding recurrence labels of an account's other rows,
	// including those that an earlier sync left over. Labels of rows that change
	// concurrently may wait for the next sync. It also completes the recurrence of rows whose
	// SaveRows was interrupted, or returns ErrRowChanged.
	SaveLabels(ctx context.Context, l Lease, user owner.User, connectionID, accountID string) error
	// FinishSync applies the sync's result to the connection, which is c unless it has
	// changed since c was read. It writes it with its events and the jobs that apply returns,
	// keeps l.Seen, and releases the lease. If the sync failed, its changes are reported after
	// a later sync.
	FinishSync(ctx context.Context, l Lease, c Connection, apply func(*Connection) []SyncJob) error
}

// Lease gives one sync the exclusive right to write a connection's data.
type Lease struct {
	Token string
	Until time.Time
	// ChoicesMade is that of the Holdings with whose Choices the sync found the categories.
	ChoicesMade int64
	// Numbers follows the sync's own changes. Optional.
	Numbers *transaction.Numbers
	// Seen is what the sync has seen, for the next one; the zero value if that has to compare
	// all rows.
	Seen transaction.Seen
}

// Acquired is what a sync begins with.
type Acquired struct {
	Connection Connection
	Holdings   Holdings
	// Number is that of the user's last change.
	Number int64
	// Unreported: an earlier sync has written changes of which partners were not notified.
	Unreported bool
	Seen       transaction.Seen
}

// Syncer reads connections from their banks.
type Syncer struct {
	store      SyncStore
	bank       pfm.SupplierOf
	categorise transaction.Enrich
	token      ChangesToken
	// Watches are the watches that the syncer looks after.
	Watches *contract.Watches
	// Disabled says whose banks are not read; nil: all are.
	Disabled owner.Disabled
	// Terms admits users who have accepted the terms for reading banks; nil: all have.
	Terms owner.Gate

	watch *watch // of the job's bank
	now   func() time.Time
	newID func() string
}

// NewSyncer returns the service.
func NewSyncer(
	store SyncStore, watches *contract.Watches, bank pfm.SupplierOf, enrich transaction.Enrich, token ChangesToken,
	now func() time.Time, newID func() string,
) *Syncer {
	return &Syncer{
		store: store, Watches: watches, bank: bank, categorise: enrich, token: token, watch: &watch{}, now: now, newID: newID,
	}
}

// Sync runs a job. Running a job twice, or two jobs at the same time, is harmless: only
// one sync holds the connection's lease, and a finished job leaves nothing to do.
// attempt counts from 1. Sync returns *outcome.Later if there should be another attempt.
func (s *Syncer) Sync(ctx context.Context, job SyncJob, attempt int) error {
	shut, err := s.Disabled.Has(ctx, job.Partner)
	if err != nil {
		return err
	}
	now := clock.Now(ctx, s.now)
	lease := Lease{Token: s.newID(), Until: now.Add(syncLease)}
	begun, err := s.store.AcquireSync(ctx, job.Owner(), job.ConnectionID, lease, now)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil // deleted meanwhile
	case errors.Is(err, outcome.ErrChanged):
		return &outcome.Later{After: syncLease, Err: errors.New("another sync of the connection is running"), Normal: true}
	case err != nil:
		return fmt.Errorf("acquire sync: %w", err)
	}
	lease.Numbers = &transaction.Numbers{Last: begun.Number}
	r := &reading{Syncer: s, Acquired: begun, lease: lease, attempt: attempt, session: begun.Connection.session()}
	if c := begun.Connection; !c.IsActive() || c.SyncRequestedAt.IsZero() { // already done, or no longer wanted
		return r.release(ctx, func(*Connection) []SyncJob { return nil })
	}
	if shut {
		return r.hold(ctx, job)
	}
	if pauses, err := s.lacksTerms(ctx, job.Owner()); err != nil || pauses {
		return cmp.Or(err, r.pause(ctx, job))
	}
	if attempt == 1 { // by a later attempt, the user has left
		r.session.PSUIPAddress, r.session.PSUHeaders = job.PSUIPAddress, job.PSUHeaders
	}
	err = r.finish(ctx, r.read(ctx))
	isOpen := func(w contract.Watch) bool { return w.OpenUntil() >= pfm.DateOf(now) }
	if err != nil || !slices.ContainsFunc(r.Holdings.Watches, isOpen) {
		return err
	}
	return s.Watches.Check(ctx, job.Owner())
}

// lacksTerms reports whether the user has not accepted the terms in force.
func (s *Syncer) lacksTerms(ctx context.Context, user owner.User) (bool, error) {
	if s.Terms == nil {
		return false, nil
	}
	err := s.Terms.Admit(ctx, user)
	if apierror.Is(err, apierror.TermsNotAccepted) {
		return true, nil
	}
	if apierror.Is(err, apierror.UserNotFound) { // being erased: nothing is written from then on
		return false, nil
	}
	return false, err
}

// pause ends a sync whose user has not accepted the terms in force. The next automatic refresh looks again.
func (r *reading) pause(ctx context.Context, job SyncJob) error {
	return r.release(ctx, func(current *Connection) []SyncJob {
		now := clock.Now(ctx, r.now)
		if job.PSUIPAddress == "" || r.attempt > 1 { // nobody has read what was counted
			current.uncount()
		}
		current.SyncRequestedAt, current.SyncEndedAt, current.UpdatedAt = time.Time{}, now, now
		current.Reason = ReasonTermsNotAccepted
		return nil
	})
}

// hold puts off a sync whose partner is disabled. Housekeeping sends another job once it is enabled: a message
// that waited instead would use up its receives.
func (r *reading) hold(ctx context.Context, job SyncJob) error {
	return r.release(ctx, func(current *Connection) []SyncJob {
		if current.isHeld() {
			return nil
		}
		current.HeldAt = clock.Now(ctx, r.now)
		if job.PSUIPAddress == "" || r.attempt > 1 { // nobody has read what was counted
			current.uncount()
		}
		return nil
	})
}

// reading is an attempt to read a connection from its bank.
type reading struct {
	*Syncer
	Acquired

	lease    Lease
	provider pfm.Provider
	session  pfm.Session
	attempt  int
	// heir has the rows of an account that continues a known one; zero if there is none.
	heir transaction.Statement
	// incomplete are accounts that the bank lists without all that belongs to them, by the bank's ID.
	incomplete map[string]bool
	// unbalanced are accounts for which the bank lists no balance, by the bank's ID.
	unbalanced map[string]bool
	// signsUsed: see Connection.
	signsUsed bool
	// partial is what could not be read, and missed the bank's failure in that.
	partial Partial
	missed  error
	// accounts are those that the connection reads.
	accounts []pfm.Account
}

// finish records the result of the sync.
func (r *reading) finish(ctx context.Context, cause error) error {
	c := r.Connection
	var changes SyncChanges
	if cause == nil && (r.Unreported || r.lease.Numbers.Took) {
		changes, cause = r.store.SyncChanges(ctx, c.Owner, c.ID)
	}
	if errors.Is(cause, outcome.ErrChanged) { // the lease is lost, or the connection is gone
		return nil
	}
	now := clock.Now(ctx, r.now)
	result := ending{}
	var later *outcome.Later
	var giveUp func(*Connection, time.Time) // what ends the use of the consent
	switch bank := pfm.FailureOf(cause); {
	case cause == nil:
		result.reason = r.partial.reason(ctx, c)
	case errors.Is(cause, errAccountsMismatch):
		giveUp = (*Connection).refuseAccounts
	case errors.Is(cause, errReplaced):
		giveUp = (*Connection).replace
	case bank.Kind != "" && !bank.Temporary():
		result = r.afterRefusal(ctx, bank.Kind)
	default:
		// Our own failures, such as a busy store, are temporary as well.
		result.reason = cmp.Or(StatusReason(bank.Kind), ReasonInternalError)
		if r.attempt < MaxSyncAttempts {
			// An answer that we cannot read may be a fault of ours.
			theirs := bank.Kind != "" && bank.Kind != pfm.SupplierInvalidResponse
			later = &outcome.Later{After: retryDelay(r.attempt, bank.RetryAfter), Err: cause, Normal: theirs}
		}
	}
	retry := later
	err := r.release(ctx, func(current *Connection) []SyncJob {
		// The status may have changed in the meantime, or the user may have authorised a
		// new consent. This sync says nothing about either.
		if current.Status != c.Status || current.ConsentID != c.ConsentID {
			return nil
		}
		if giveUp != nil {
			old := *current
			giveUp(current, now)
			return old.endConsents(*current)
		}
		current.end(result, now)
		current.Reason, current.UpdatedAt = result.reason, now
		current.Refusal = refusalIn(cmp.Or(cause, r.missed), now)
		current.SignsUsed = current.SignsUsed || r.signsUsed
		if cause == nil {
			current.LastSuccessAt, current.Partial = now, r.partial
			current.noteAccounts(r.accounts)
			if current.TestRows.At.Equal(c.TestRows.At) { // no more were added
				current.TestRows = TestRows{}
			}
			current.addEvent(EventRefreshed, now)
			current.addTransactionsEvent(changes, r.token, now)
		}
		if later == nil && current.SyncRequestedAt.Equal(c.SyncRequestedAt) { // no other sync was requested
			current.SyncRequestedAt = time.Time{}
		}
		retry = later
		if r.session.PSUIPAddress == "" { // the job may have waited
			current.moveUnattended(now)
		}
		if later != nil && !current.countUnattended(now) { // the limit is used up
			retry, current.SyncRequestedAt = nil, time.Time{}
		}
		if retry == nil {
			current.SyncEndedAt = now
			current.setSyncFailing(cause != nil, now)
		}
		return nil
	})
	if err == nil && retry != nil {
		return retry
	}
	return err
}

// release applies the result, writes the jobs that result from it, and releases the
// lease. If the lease is already lost, it does nothing. It writes even if the function
// has run out of time, so that the reason is not lost.
func (r *reading) release(ctx context.Context, apply func(*Connection) []SyncJob) error {
	err := r.store.FinishSync(context.WithoutCancel(ctx), r.lease, r.Connection, apply)
	if err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("finish sync: %w", err)
	}
	return nil
}

// retryDelay returns how long to wait after a failed attempt: 30 s, 2, 8, 32 minutes,
// or what the bank asks for, up to an hour.
func retryDelay(attempt int, asked time.Duration) time.Duration {
	return max(30*time.Second<<(2*(min(attempt, MaxSyncAttempts)-1)), min(asked, time.Hour))
}

// afterRefusal returns the connection's status and reason after the bank refused a read.
// If the consent seems to be the cause, it asks the bank for the consent's state.
func (r *reading) afterRefusal(ctx context.Context, refusal pfm.SupplierErrorKind) ending {
	if !(pfm.SupplierError{Kind: refusal}).IsAboutConsent() {
		return ending{reason: StatusReason(refusal)}
	}
	// If the bank does not return the state either, its refusal is all we know: an
	// invalid consent may not have ended.
	consent := pfm.Consent{}
	if refusal == pfm.SupplierConsentInvalid {
		consent.State = pfm.ConsentValid
	}
	if known, err := r.consent(ctx, r.Connection); err == nil {
		consent = known
	}
	if end, ended := r.Connection.endOf(consent, clock.Now(ctx, r.now)); ended {
		return end
	}
	// The bank contradicts itself, so the user has to authorise again.
	return ending{status: ActionRequired, reason: StatusReason(refusal)}
}

// checkConsent returns the refusal of an account's rows if the consent has ended. Under a valid consent, the bank
// means the account: users choose at the bank what they grant of each.
func (r *reading) checkConsent(ctx context.Context, statements []transaction.Statement) error {
	for _, st := range statements {
		if !pfm.FailureOf(st.Err).IsAboutConsent() {
			continue
		}
		consent, err := r.consent(ctx, r.Connection)
		if _, ended := r.Connection.endOf(consent, clock.Now(ctx, r.now)); err != nil || ended {
			return st.Err
		}
		return nil
	}
	return nil
}

// consent asks the bank for the state of the consent of a connection to it.
func (r *reading) consent(ctx context.Context, c Connection) (pfm.Consent, error) {
	consent, err := r.bank(r.provider.Endpoint).Consent(ctx, r.provider.Endpoint, c.session())
	r.watch.note(err)
	return consent, err
}

// errAccountsMismatch is returned by read if the bank lists none of the known accounts
// under a new consent: the user may have logged in as somebody else.
var errAccountsMismatch = errors.New("the bank lists none of the known accounts")

// read updates accounts and transactions from the bank, and what the sync began with. The lease
// gets what the next sync need not compare again.
func (r *reading) read(ctx context.Context) (err error) {
	if r.provider, err = r.store.Provider(ctx, r.Connection.ProviderID); err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	r.provider = r.Connection.within(r.provider)
	r.session = reads(r.provider, r.session)
	if err := r.renew(ctx); err != nil {
		return err
	}
	listed, fetched, err := r.listAccounts(ctx)
	if err != nil {
		return err
	}
	if err := r.findHeir(ctx, fetched); err != nil {
		return err
	}
	accounts, err := r.claim(ctx, fetched)
	if err != nil {
		return err
	}
	r.accounts = accounts
	statements, err := r.fetch(ctx, accounts)
	if err != nil {
		return err
	}
	if err := r.saveFound(ctx, accounts, statements); err != nil {
		return err
	}
	now := clock.Now(ctx, r.now)
	if r.partial.Accounts = listed - len(fetched); r.partial.Accounts > 0 {
		r.partial.From = r.Connection.readFrom(r.provider, pfm.Account{HeldSince: r.Connection.CreatedAt}, now)
	}
	read := statements
	r.signsUsed = slices.ContainsFunc(read, func(st transaction.Statement) bool { return st.UsesSigns })
	statements, missed := r.partial.sort(read, r.incomplete)
	r.missed = missed
	isGranted := hasBalance(fetched) && pfm.FailureOf(missed).Kind == pfm.SupplierConsentInvalid
	if len(statements) == 0 && !isGranted {
		err = missed
	}
	if err := cmp.Or(r.checkConsent(ctx, read), err); err != nil || len(statements) == 0 {
		return errors.Join(err, r.saveGaps(ctx, accounts, read))
	}
	r.categoriseAll(statements)
	var seen transaction.Seen
	if !r.partial.IsPartial() {
		seen = transaction.SeenOf(statements, pfm.DateOf(now))
	}
	if !seen.Adds(r.Seen, r.Number) {
		r.lease.Seen = r.Seen
		return nil
	}
	if err := r.enrich(ctx, statements); err != nil {
		return err
	}
	r.lease.ChoicesMade = r.Holdings.ChoicesMade
	settled := true
	for _, st := range statements {
		isSettled, err := r.saveRows(ctx, st)
		if err != nil {
			return err
		}
		settled = settled && isSettled
	}
	if err := r.saveGaps(ctx, accounts, read); err != nil {
		return err
	}
	if mayPass(missed) && r.attempt < patientAttempts {
		return missed
	}
	if settled && !r.lease.Numbers.Broken {
		seen.Number = r.lease.Numbers.Last
		r.lease.Seen = seen
	}
	return nil
}

// renew makes the session last for the sync. It stores a new secret at once: the old one
// may no longer work. If that fails, the next sync has only the old one, and the bank then
// decides whether the user has to authorise again.
func (r *reading) renew(ctx context.Context) error {
	old := r.session.Secret
	session, err := r.bank(r.provider.Endpoint).RenewSession(ctx, r.provider.Endpoint, r.session)
	if err != nil {
		r.watch.note(err)
		return err
	}
	r.session = session
	if session.Secret == old {
		return nil
	}
	if err := r.store.SaveSecret(context.WithoutCancel(ctx), r.lease, r.Connection, session.Secret); err != nil {
		return fmt.Errorf("save renewed secret: %w", err)
	}
	r.Connection.Secret, r.Connection.Version = session.Secret, r.Connection.Version+1
	return nil
}

// saveGaps saves the accounts of which more is missing than before, or less.
func (r *reading) saveGaps(ctx context.Context, before []pfm.Account, statements []transaction.Statement) error {
	var changed []pfm.Account
	for i, st := range statements {
		if old := before[i]; st.MissingFrom != old.MissingFrom || !st.LimitedUntil.Equal(old.LimitedUntil) {
			changed = append(changed, st.Account)
		}
	}
	return r.saveAccounts(ctx, changed)
}

// saveFound saves the accounts whose signs or balance have just been inferred from the rows.
func (r *reading) saveFound(ctx context.Context, before []pfm.Account, statements []transaction.Statement) error {
	var found []pfm.Account
	for i, st := range statements {
		if st.SignsFound || !st.Balance.Equal(before[i].Balance) {
			found = append(found, st.Account)
		}
	}
	return r.saveAccounts(ctx, found)
}
