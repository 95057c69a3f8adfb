package connection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// An account belongs to one connection. If several connections of a user list it, such
// as two connections of one person, or those of two persons who share an account, it
// belongs to the Active one whose consent the user authorised last.

const (
	// maxGained is how many accounts a connection gets in one transaction. Each takes two
	// actions if another connection held it.
	maxGained = 40
	// claimTries is how often a sync compares accounts again because other connections of
	// the user have changed in the meantime.
	claimTries = 5
)

// errReplaced is returned by read if newer connections hold all accounts of the consent.
var errReplaced = errors.New("newer connections hold all accounts")

// TakeoverStore stores whose accounts are whose.
type TakeoverStore interface {
	Holdings(ctx context.Context, user owner.User) (Holdings, error)
	// TakeAccounts writes t, and releases the lease of the connection that gives accounts
	// up. It returns ErrRowChanged if connections got accounts since the Holdings were
	// read, or if the other connection has changed.
	TakeAccounts(ctx context.Context, l Lease, t Takeover) error
	// SaveAccounts creates or replaces accounts of one connection.
	SaveAccounts(ctx context.Context, l Lease, accounts []pfm.Account) error
	// SyncChanges returns the changes to the connection's transactions by this sync,
	// and by earlier syncs of which partners have not been notified.
	SyncChanges(ctx context.Context, user owner.User, connectionID string) (SyncChanges, error)
}

// Holding is a connection with the accounts that it holds.
type Holding struct {
	Connection Connection
	Accounts   []pfm.Account
}

// Holdings are all connections of a user with their accounts. Version counts how often
// connections got accounts.
type Holdings struct {
	All     []Holding
	Version int64
	// Choices are those of the user for merchants, and ChoicesMade is how often the user
	// has made or taken back one.
	Choices     transaction.Choices
	ChoicesMade int64
	Watches     []contract.Watch
}

// Takeover gives a connection accounts that it does not hold yet.
type Takeover struct {
	// Version is that of the Holdings that were read.
	Version int64
	// Accounts are the accounts as the connection gets them.
	Accounts []pfm.Account
	// From is the connection that gives some of the accounts up, by ID; nil if all
	// accounts are new.
	From *Former
}

// Former is a connection that gives accounts up.
type Former struct {
	// Connection is the connection as it is from now on.
	Connection Connection
	// AccountIDs are the accounts that it gives up.
	AccountIDs []string
	// Reported is the position of the changes by its syncs that partners are notified of
	// with the Takeover.
	Reported transaction.ChangePosition
	Jobs     []SyncJob
}

// claim finds the accounts that the connection reads, and saves them. It takes over those
// that belong to it now. It leaves out what newer connections hold. The Holdings that the
// sync began with do if they show no other accounts; otherwise it reads them again.
func (r *reading) claim(ctx context.Context, fetched []pfm.BankAccount) ([]pfm.Account, error) {
	c, now := r.Connection, clock.Now(ctx, r.now)
	plan, err := r.plan(fetched, now)
	if err == nil && len(plan.gained) == 0 {
		return plan.held, r.saveAccounts(ctx, plan.changed)
	}
	for lost := 0; ; {
		if r.Holdings, err = r.store.Holdings(ctx, c.Owner); err != nil {
			return nil, fmt.Errorf("read accounts: %w", err)
		}
		if plan, err = r.plan(fetched, now); err != nil {
			return nil, err
		}
		if len(plan.gained) == 0 {
			return plan.held, r.saveAccounts(ctx, plan.changed)
		}
		takeover := Takeover{Version: r.Holdings.Version, Accounts: plan.gained}
		if plan.from != nil {
			if takeover.From, err = r.giveUp(ctx, *plan.from, plan.gained); err != nil {
				return nil, err
			}
		}
		err = r.store.TakeAccounts(ctx, r.lease, takeover)
		switch {
		case err == nil && !plan.isLast:
			continue
		case err == nil:
			return append(plan.gained, plan.held...), r.saveAccounts(ctx, plan.changed)
		case !errors.Is(err, pfm.ErrRowChanged) || lost == claimTries:
			return nil, fmt.Errorf("take accounts: %w", err)
		}
		lost++
	}
}

func (r *reading) saveAccounts(ctx context.Context, accounts []pfm.Account) error {
	if err := r.store.SaveAccounts(ctx, r.lease, accounts); err != nil {
		return fmt.Errorf("save accounts: %w", err)
	}
	return nil
}

// plan says which accounts a sync keeps, gains and leaves out.
type plan struct {
	// held are accounts that the connection has already, and changed those of them that the
	// bank lists in another way than before. gained are those that it gets: new ones, and
	// accounts of one other connection.
	held, changed, gained []pfm.Account
	from                  *Holding
	// isLast is false if more accounts are to be taken afterwards.
	isLast bool
}

// known returns the accounts of the connection, and the user's other connections with the bank.
func (r *reading) known() (own []pfm.Account, others []Holding) {
	c := r.Connection
	for _, h := range r.Holdings.All {
		switch {
		case h.Connection.ID == c.ID:
			own = h.Accounts
		case h.Connection.ProviderID == c.ProviderID && h.Connection.Status != Deleting:
			others = append(others, h)
		}
	}
	return own, others
}

// matchOwn returns the accounts of the connection that the fetched ones are.
func (r *reading) matchOwn(own []pfm.Account, fetched []pfm.BankAccount) []pfm.Account {
	match := matchAccounts(own, fetched, r.Connection.ConsentID)
	matchNumberless(match, own, fetched)
	heir := slices.IndexFunc(own, func(a pfm.Account) bool { return a.ID == r.heir.ID })
	for i, f := range fetched {
		if heir >= 0 && f.ResourceID == r.heir.ResourceID && match[i].ID == "" {
			match[i] = own[heir]
		}
	}
	return match
}

func (r *reading) plan(fetched []pfm.BankAccount, now time.Time) (plan, error) {
	c := r.Connection
	own, others := r.known()
	if r.heir.ID == "" && mismatch(own, fetched, c.ConsentID) {
		return plan{}, errAccountsMismatch
	}
	done := plan{isLast: true}
	var unknown []pfm.BankAccount
	for i, a := range r.matchOwn(own, fetched) {
		if a.ID == "" {
			unknown = append(unknown, fetched[i])
			continue
		}
		next := refreshed(a, fetched[i], c.ConsentID, now)
		done.held = append(done.held, next)
		if !sameAccount(next, a) {
			done.changed = append(done.changed, next)
		}
	}
	for i, a := range matchAccounts(accountsOf(others), unknown, c.ConsentID) {
		holder := slices.IndexFunc(others, func(h Holding) bool { return h.Connection.ID == a.ConnectionID })
		isTaken := holder >= 0
		switch {
		case isTaken && others[holder].Connection.precedes(c, now):
			continue
		case len(done.gained) == maxGained, isTaken && done.from != nil && done.from != &others[holder]:
			done.isLast = false
			continue
		case isTaken:
			done.from, a.HeldSince = &others[holder], now
		default:
			a = pfm.Account{ID: r.newID(), Owner: c.Owner, CreatedAt: now}
		}
		a.ConnectionID = c.ID
		done.gained = append(done.gained, refreshed(a, unknown[i], c.ConsentID, now))
	}
	if len(own)+len(done.gained) == 0 && len(fetched) > 0 {
		return plan{}, errReplaced
	}
	return done, nil
}

func accountsOf(holdings []Holding) (accounts []pfm.Account) {
	for _, h := range holdings {
		accounts = append(accounts, h.Accounts...)
	}
	return accounts
}

// precedes reports whether c keeps an account that other lists too.
func (c Connection) precedes(other Connection, now time.Time) bool {
	return c.At(now).IsActive() && c.isNewerThan(other)
}

// isNewerThan reports whether the user authorised c's consent after other's.
func (c Connection) isNewerThan(other Connection) bool {
	return cmp.Or(c.AuthorisedAt.Compare(other.AuthorisedAt), strings.Compare(c.ID, other.ID)) > 0
}

// giveUp returns the connection that gives accounts up, as it is from then on. If it
// keeps none, or if its bank has ended its consent, it expires. A connection that keeps
// some and still has its consent goes on with them.
func (r *reading) giveUp(ctx context.Context, h Holding, gained []pfm.Account) (*Former, error) {
	now := clock.Now(ctx, r.now)
	old := h.Connection
	f := &Former{Connection: old}
	for _, a := range h.Accounts {
		if slices.ContainsFunc(gained, func(g pfm.Account) bool { return g.ID == a.ID }) {
			f.AccountIDs = append(f.AccountIDs, a.ID)
		}
	}
	// Its sync loses the lease, so nobody would notify partners of what the sync has
	// written.
	unreported, err := r.store.SyncChanges(ctx, old.Owner, old.ID)
	if err != nil {
		return nil, fmt.Errorf("count changes: %w", err)
	}
	f.Reported = unreported.Since
	next := &f.Connection
	next.addTransactionsEvent(unreported, r.token, now)
	switch isLive := old.At(now).IsActive(); {
	case !r.Connection.isNewerThan(old):
	case len(f.AccountIDs) == len(h.Accounts) && (isLive || old.Status == ActionRequired):
		next.replace(now)
		f.Jobs = old.endConsents(*next)
	case isLive:
		if consent, err := r.consent(ctx, old); err == nil {
			if end, ended := old.endOf(consent, now); ended {
				next.end(end, now)
			}
		}
	}
	if next.IsActive() && !next.SyncRequestedAt.IsZero() {
		f.Jobs = append(f.Jobs, next.repeatSync(now)...)
	}
	return f, nil
}

// replace ends a connection whose accounts newer connections hold.
func (c *Connection) replace(now time.Time) {
	c.end(ending{Expired, ReasonConsentReplaced, now}, now)
	c.ConsentID, c.Secret = "", ""
}
