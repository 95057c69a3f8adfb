package connection

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// fallbackDays returns the histories to request if a bank refuses so many days: a day less, because banks count in both
// ways, what a consent allows without the user (RTS, article 10), and a month.
func fallbackDays(refused int) []int { return []int{refused - 1, 90, 89, 30} }

// reads returns the session with what the bank's profile adds to it.
func reads(p pfm.Provider, session pfm.Session) pfm.Session {
	session.PSUHeaders = p.Wants(session.PSUHeaders)
	session.CardAccounts = session.CardAccounts || p.Profile.CardAccounts
	return session
}

// listAccounts returns how many accounts the bank lists, and those that can be read, as we
// understand them. It notes those that are incomplete.
func (r *reading) listAccounts(ctx context.Context) (listed int, fetched []pfm.BankAccount, err error) {
	sent, err := r.bank(r.provider.Endpoint).Accounts(ctx, r.provider.Endpoint, r.session)
	r.watch.note(err)
	if err != nil {
		return 0, nil, err
	}
	fetched, r.incomplete = readAccounts(r.provider, sent)
	r.unbalanced = map[string]bool{}
	for _, f := range fetched {
		r.unbalanced[f.ResourceID] = len(f.Balances) == 0 && !f.SignsInverted
	}
	if len(fetched) == 0 && len(sent) > 0 {
		err = &pfm.SupplierError{Kind: pfm.SupplierInvalidResponse, Operation: "list accounts"}
	}
	return len(sent), fetched, err
}

// readFrom returns the first day to read of an account.
func (c Connection) readFrom(p pfm.Provider, a pfm.Account, now time.Time) pfm.Date {
	from := pfm.DateOf(now).AddDays(-p.MaxFetchInterval)
	if c.hasReadAll(a) {
		from = max(from, pfm.DateOf(c.LastSuccessAt).AddDays(-transaction.OverlapDays))
	}
	for _, earlier := range []pfm.Date{c.TestRows.From, c.Partial.From, a.MissingFrom} {
		if earlier != "" {
			from = min(from, earlier)
		}
	}
	return max(from, pfm.DateOf(now).AddDays(-p.MaxFetchInterval))
}

// hasReadAll reports whether the account has been read in full. One that came after the
// last success has not, even if a later sync has seen it and failed.
func (c Connection) hasReadAll(a pfm.Account) bool {
	return !cmp.Or(a.HeldSince, a.CreatedAt).After(c.LastSuccessAt)
}

// fetch reads the accounts' rows from the bank, several accounts in parallel. What the bank refuses of one account
// costs only that account.
func (r *reading) fetch(ctx context.Context, accounts []pfm.Account) ([]transaction.Statement, error) {
	statements := make([]transaction.Statement, len(accounts))
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelAccounts)
	for i, account := range accounts {
		if account.ID == r.heir.ID {
			statements[i] = r.heir
			continue
		}
		group.Go(func() error {
			statements[i] = r.fetchStatement(gctx, account)
			if err := statements[i].Err; err != nil && pfm.FailureOf(err).Kind == "" {
				return err
			}
			return nil
		})
	}
	return statements, group.Wait()
}

// fetchStatement reads an account's rows. A bank that refuses a long history is asked for
// shorter ones, and the account's signs are inferred from a full history only.
func (r *reading) fetchStatement(ctx context.Context, a pfm.Account) transaction.Statement {
	p, now := r.provider, clock.Now(ctx, r.now)
	first := r.Connection.readFrom(p, a, now)
	from, st := first, transaction.Statement{Account: a, From: first}
	if left := a.LimitedUntil.Sub(now); left > 0 && r.session.PSUIPAddress == "" {
		st.Err = &pfm.SupplierError{
			Kind: pfm.SupplierRateLimited, Operation: "read transactions", RetryAfter: left,
		}
		return st
	}
	sent, err := r.fetchRows(ctx, a, from)
	for _, days := range fallbackDays(p.MaxFetchInterval) {
		if shorter := pfm.DateOf(now).AddDays(-days); refusesHistory(err) && from < shorter {
			from = shorter
			sent, err = r.fetchRows(ctx, a, from)
		}
	}
	st.MissingFrom, st.LimitedUntil = "", time.Time{}
	if failure := pfm.FailureOf(err); err != nil {
		st.Err, st.MissingFrom = err, first
		if failure.Kind == pfm.SupplierRateLimited && failure.RetryAfter > 0 {
			st.LimitedUntil = now.Add(failure.RetryAfter).Truncate(time.Second)
		}
		if failure.Pages == 0 {
			return st
		}
	}
	st.Requested, st.From = from, from
	if st.UsesSigns = r.Connection.SignsUsed || transaction.UsesSigns(sent); !st.UsesSigns {
		sent = transaction.WithSigns(a, sent)
	}
	infers := p.Profile.CardSigns == "" && !a.SignsInverted && err == nil &&
		(a.MissingFrom != "" || !r.Connection.hasReadAll(a))
	if infers && transaction.HasInvertedSigns(a, sent) {
		st.SignsFound, st.SignsInverted, st.Balance = true, true, a.Balance.Neg()
	}
	st.Rows, st.Unreadable = transaction.ReadRows(p, st.Account, sent, now)
	if last, ok := transaction.LastBalance(st.Rows, a.Currency); ok && r.unbalanced[a.ResourceID] {
		st.Balance = last
	}
	for _, row := range st.Rows { // some banks return older rows than requested
		st.From = min(st.From, row.RecordDate)
	}
	return st
}

// refusesHistory reports whether a refusal may be about the period. Banks have all kinds
// of codes for that, and some say that the consent were at fault, under which they have
// just listed the accounts.
func refusesHistory(err error) bool {
	e := pfm.FailureOf(err)
	return e.Pages == 0 && (e.Kind == pfm.SupplierRejected || e.Kind == pfm.SupplierConsentInvalid)
}

// fetchRows returns the rows of the pages before an error as well.
func (r *reading) fetchRows(ctx context.Context, a pfm.Account, from pfm.Date) ([]pfm.BankTransaction, error) {
	var sent []pfm.BankTransaction
	bank := r.provider.Endpoint
	for row, err := range r.bank(bank).Transactions(ctx, bank, r.session, a.ResourceID, from) {
		r.watch.note(err)
		if err != nil {
			return sent, err
		}
		sent = append(sent, row)
	}
	return sent, nil
}

// Partial counts what could not be read of a bank's answers; zero if nothing was missing.
type Partial struct {
	Rows     int `dynamodbav:"partialRows,omitempty"`
	Accounts int `dynamodbav:"partialAccounts,omitempty"`
	// From is the first day with missing rows, of accounts that the bank lists without an ID. It is empty if no rows are
	// missing.
	From pfm.Date `dynamodbav:"partialFrom,omitempty"`
	// Until is the time at which the last limit of the bank ends. It is zero without a limit, or if the bank does not say.
	Until time.Time `dynamodbav:"partialUntil,omitempty"`
}

// IsPartial reports whether something is missing.
func (p Partial) IsPartial() bool { return p.Rows+p.Accounts > 0 }

// sort counts what is missing in statements and in the incomplete accounts, and returns the statements that can be
// saved. The error is that of an account of which nothing can be read, best one that may pass.
func (p *Partial) sort(
	all []transaction.Statement, incomplete map[string]bool,
) (readable []transaction.Statement, err error) {
	for _, st := range all {
		p.Rows += st.Unreadable
		if st.Err != nil || incomplete[st.ResourceID] {
			p.Accounts++
		}
		if st.LimitedUntil.After(p.Until) {
			p.Until = st.LimitedUntil
		}
		if st.Err == nil || pfm.FailureOf(st.Err).Pages > 0 {
			readable = append(readable, st)
		}
		if st.Err != nil && (err == nil || mayPass(st.Err)) {
			err = st.Err
		}
	}
	return readable, err
}

// reason returns the reason of a connection whose sync has succeeded, and logs what was
// missing. The log line has numbers only.
func (p Partial) reason(ctx context.Context, c Connection) StatusReason {
	if !p.IsPartial() {
		return ReasonNone
	}
	slog.WarnContext(ctx, "the bank's data is partial",
		"connectionId", c.ID, "providerId", c.ProviderID, "rows", p.Rows, "accounts", p.Accounts)
	return ReasonPartialData
}

// patientAttempts is how often a sync is tried before it ends without an account whose bank
// does not answer: as often as banks allow in a day without the user.
const patientAttempts = 4

// mayPass reports whether the account is worth another attempt.
func mayPass(err error) bool { return pfm.FailureOf(err).Kind == pfm.SupplierUnavailable }

// Inspection is what a first sync would read of a bank.
type Inspection struct {
	// Session is renewed: use it for further calls.
	Session pfm.Session
	// Listed is how many accounts the bank lists, Incomplete how many of them cannot be
	// read in full.
	Listed, Incomplete int
	Accounts           []InspectedAccount
}

// InspectedAccount is an account with its rows, as a first sync would store them.
type InspectedAccount struct {
	// From of the Statement is the first day that the bank accepts; empty if the rows cannot be
	// read.
	transaction.Statement
	// Balances are those that the bank sent for the account.
	Balances []pfm.BankBalance
}

// Inspect reads a bank as a first sync does, without storing anything. After an error, the
// result is what was read until then.
func Inspect(
	ctx context.Context, bank pfm.Supplier, p pfm.Provider, session pfm.Session, clockNow func() time.Time,
) (Inspection, error) {
	of := func(pfm.BankEndpoint) pfm.Supplier { return bank }
	r := &reading{Syncer: &Syncer{bank: of, watch: &watch{}, now: clockNow}, provider: p}
	now := clock.Now(ctx, clockNow)
	session, err := bank.RenewSession(ctx, p.Endpoint, reads(p, session))
	found := Inspection{Session: session}
	if err != nil {
		return found, err
	}
	r.session = session
	listed, fetched, err := r.listAccounts(ctx)
	found.Listed, found.Incomplete = listed, len(r.incomplete)+listed-len(fetched)
	if err != nil {
		return found, err
	}
	for _, f := range fetched {
		a := refreshed(pfm.Account{CreatedAt: now}, f, session.ConsentID, now)
		st := r.fetchStatement(ctx, a)
		if st.Err != nil && pfm.FailureOf(st.Err).Kind == "" {
			return found, st.Err
		}
		st.From = st.Requested
		found.Accounts = append(found.Accounts, InspectedAccount{st, f.Balances})
	}
	return found, nil
}
