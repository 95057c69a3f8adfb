package pfm

import (
	"context"
	"errors"
	"time"

	"aviso/internal/clock"

	"golang.org/x/sync/errgroup"
)

// fallbackDays returns the histories to request if a bank refuses a longer one: what a
// consent allows without the user (RTS, article 10), counted in both ways, and a month.
func fallbackDays() []int { return []int{90, 89, 30} }

// reads returns the session with what the bank's profile adds to it.
func reads(p Provider, session Session) Session {
	session.PSUHeaders = p.Wants(session.PSUHeaders)
	session.CardAccounts = session.CardAccounts || p.Profile.CardAccounts
	return session
}

// listAccounts returns how many accounts the bank lists, those that can be read, as we
// understand them, and how many are incomplete.
func (s *Syncer) listAccounts(
	ctx context.Context, p Provider, session Session,
) (listed int, fetched []BankAccount, incomplete int, err error) {
	sent, err := s.bank.Accounts(ctx, p.Endpoint, session)
	if err != nil {
		return 0, nil, 0, err
	}
	fetched, incomplete = readAccounts(p, sent)
	if len(fetched) == 0 && incomplete > 0 {
		err = &SupplierError{Kind: SupplierInvalidResponse, Operation: "list accounts"}
	}
	return len(sent), fetched, incomplete, err
}

// readFrom returns the first day to read of an account.
func (c Connection) readFrom(p Provider, a Account, now time.Time) Date {
	from := DateOf(now).AddDays(-p.MaxFetchInterval)
	if c.hasReadAll(a) {
		from = max(from, DateOf(c.LastSuccessAt).AddDays(-overlapDays))
	}
	for _, earlier := range []Date{c.TestRows.From, c.Partial.From} {
		if earlier != "" {
			from = min(from, earlier)
		}
	}
	return from
}

// hasReadAll reports whether the account has been read in full. One that came after the
// last success has not, even if a later sync has seen it and failed.
func (c Connection) hasReadAll(a Account) bool { return !heldSince(a).After(c.LastSuccessAt) }

// fetch reads the accounts' rows from the bank, several accounts in parallel.
func (s *Syncer) fetch(
	ctx context.Context, c Connection, p Provider, session Session, accounts []Account,
) ([]statement, error) {
	statements := make([]statement, len(accounts))
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelAccounts)
	for i, account := range accounts {
		group.Go(func() error {
			st := s.fetchStatement(gctx, p, session, account, c.readFrom(p, account, clock.Now(ctx, s.now)), !c.hasReadAll(account))
			statements[i] = st
			if st.err != nil && !costsOneAccount(st.err) {
				return st.err
			}
			return nil
		})
	}
	return statements, group.Wait()
}

// fetchStatement reads an account's rows. A bank that refuses a long history is asked for
// shorter ones, and the account's signs are inferred from a full history only.
func (s *Syncer) fetchStatement(
	ctx context.Context, p Provider, session Session, a Account, from Date, full bool,
) statement {
	st := statement{account: a, from: from}
	sent, err := s.fetchRows(ctx, p, session, a, from)
	for _, days := range fallbackDays() {
		if shorter := DateOf(clock.Now(ctx, s.now)).AddDays(-days); refusesHistory(err) && from < shorter {
			from = shorter
			sent, err = s.fetchRows(ctx, p, session, a, from)
		}
	}
	if err != nil {
		st.err = err
		return st
	}
	st.requested, st.from = from, from
	if full && p.Profile.CardSigns == "" && !a.SignsInverted && hasInvertedSigns(a, sent) {
		st.signsFound, st.account.SignsInverted, st.account.Balance = true, true, a.Balance.Neg()
	}
	st.rows, st.unreadable = readRows(p, st.account, sent, clock.Now(ctx, s.now))
	for _, row := range st.rows { // some banks return older rows than requested
		st.from = min(st.from, row.RecordDate)
	}
	return st
}

// refusesHistory reports whether a refusal may be about the period. Banks have all kinds
// of codes for that, and some say that the consent were at fault, under which they have
// just listed the accounts.
func refusesHistory(err error) bool {
	bank, ok := errors.AsType[*SupplierError](err)
	return ok && (bank.Kind == SupplierRejected || bank.Kind == SupplierConsentInvalid)
}

func (s *Syncer) fetchRows(
	ctx context.Context, p Provider, session Session, a Account, from Date,
) (sent []BankTransaction, err error) {
	for row, err := range s.bank.Transactions(ctx, p.Endpoint, session, a.ResourceID, from) {
		if err != nil {
			return nil, err
		}
		sent = append(sent, row)
	}
	return sent, nil
}
