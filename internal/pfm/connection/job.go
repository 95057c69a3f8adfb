package connection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// JobAction is what a job tells the bank-sync function to do.
type JobAction string

// The actions.
const (
	// JobSync reads a connection from its bank.
	JobSync JobAction = ""
	// JobDelete ends a connection's consents and deletes all of its data.
	JobDelete JobAction = "Delete"
	// JobEndConsent ends a consent that no connection uses any longer.
	JobEndConsent JobAction = "EndConsent"
	// JobApplyChoice applies the category that the user has chosen for a merchant, or its
	// absence, to the merchant's rows. It needs no bank.
	JobApplyChoice JobAction = "ApplyChoice"
	// JobWatch does what a WatchOrder asks for or, without one, looks after the user's
	// watches. It needs no bank.
	JobWatch JobAction = "Watch"
)

// SyncJob is work on one connection that needs its bank.
type SyncJob struct {
	Action       JobAction       `json:"action,omitempty"`
	Partner      owner.PartnerID `json:"partner"`
	User         owner.UserID    `json:"user"`
	ConnectionID string          `json:"connectionId"`
	// PSUIPAddress is set if the user is present.
	PSUIPAddress string `json:"psuIpAddress,omitempty"`
	// PSUHeaders are further headers about the user.
	PSUHeaders map[string]string `json:"psuHeaders,omitempty"`
	// ProviderID is the bank; empty for jobs that need none.
	ProviderID string `json:"providerId,omitempty"`
	// ConsentID and Secret say which consent to end. The connection may use another consent
	// by now, or be gone.
	ConsentID string `json:"consentId,omitempty"`
	Secret    string `json:"secret,omitempty"`
	// Party is whom the user's choice is about.
	Party string               `json:"party,omitempty"`
	Watch *contract.WatchOrder `json:"watch,omitempty"`
	// Tried is how many attempts earlier messages of the job have made, and WaitingSince when
	// it first waited for a bank that is down. A Breaker sets them.
	Tried        int        `json:"tried,omitempty"`
	WaitingSince clock.Real `json:"waitingSince,omitzero"`
}

// Owner returns the owner of the connection.
func (j SyncJob) Owner() owner.User { return owner.User{Partner: j.Partner, ID: j.User} }

// About returns what the log says about an attempt to read a bank: whether the partner said that the user is present
// (1 or 0, so that a query can compute the share).
func (j SyncJob) About(attempt int) []slog.Attr {
	if j.Action != JobSync {
		return nil
	}
	attended := 0
	if j.PSUIPAddress != "" && attempt == 1 {
		attended = 1
	}
	return []slog.Attr{slog.String("partner", string(j.Partner)), slog.Int("attended", attended)}
}

// job returns a job for the connection.
func (c Connection) job(action JobAction) SyncJob {
	return SyncJob{
		Action: action, Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID, ProviderID: c.ProviderID,
	}
}

// endConsents returns jobs that end the consents that c has and next, which replaces
// c, has not. If such a consent were left at the bank, somebody could authorise it
// later, which would end the consent in use.
func (c Connection) endConsents(next Connection) []SyncJob {
	kept := next.consents()
	var jobs []SyncJob
	for id, session := range c.consents() {
		if _, ok := kept[id]; !ok {
			j := c.job(JobEndConsent)
			j.ConsentID, j.Secret = id, session.Secret
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// consents returns the current consent and the one being authorised, by ID.
func (c Connection) consents() map[string]pfm.Session {
	consents := map[string]pfm.Session{}
	if c.ConsentID != "" {
		consents[c.ConsentID] = c.session()
	}
	if a := c.Authorisation; a != nil && a.ConsentID != "" {
		consents[a.ConsentID] = c.authorising()
	}
	return consents
}

// JobStore stores what jobs other than syncs change.
type JobStore interface {
	DeletionStore

	Holdings(ctx context.Context, user owner.User) (Holdings, error)
	// PartyTransactions returns all of the user's rows with a party.
	PartyTransactions(ctx context.Context, user owner.User, party string) ([]transaction.Transaction, error)
	// SaveChoices writes changed categories, in chunks, with the aggregates and groups. It
	// returns ErrRowChanged if a row has changed since it was read, or if made has: then the
	// user has chosen again.
	SaveChoices(ctx context.Context, user owner.User, made int64, changes []transaction.RowChange) error
}

// Jobs runs the jobs: it reads connections from their banks, deletes them, and applies users' choices.
type Jobs struct {
	*Syncer

	store JobStore
}

// NewJobs returns the service.
func NewJobs(store JobStore, syncer *Syncer) *Jobs { return &Jobs{Syncer: syncer, store: store} }

// Do runs a job. Running a job twice, or two jobs at the same time, is harmless.
// attempt counts from 1. Do returns *outcome.Later if there should be another attempt.
func (s *Jobs) Do(ctx context.Context, job SyncJob, attempt int) error {
	switch job.Action {
	case JobSync:
		return s.Sync(ctx, job, attempt)
	case JobDelete:
		if err := s.Delete(ctx, job, attempt); err != nil {
			return err
		}
		return s.Watches.Check(ctx, job.Owner())
	case JobEndConsent:
		session := pfm.Session{ConnectionID: job.ConnectionID, ConsentID: job.ConsentID, Secret: job.Secret}
		return s.endAtBank(ctx, job.ProviderID, session, attempt)
	case JobApplyChoice:
		return s.applyChoice(ctx, job)
	case JobWatch:
		if job.Watch == nil {
			return s.Watches.Check(ctx, job.Owner())
		}
		return s.Watches.Take(ctx, job.Owner(), *job.Watch)
	default:
		return fmt.Errorf("job: unknown action %q", job.Action)
	}
}

// applyChoice brings all rows of a party into line with the user's choice for it, or with
// its absence.
func (s *Jobs) applyChoice(ctx context.Context, job SyncJob) error {
	err := pfm.ErrRowChanged
	for try := 0; try < saveTries && errors.Is(err, pfm.ErrRowChanged); try++ {
		err = s.applyChoiceOnce(ctx, job.Owner(), job.Party)
	}
	if err != nil {
		return &outcome.Later{After: 30 * time.Second, Err: fmt.Errorf("apply choice: %w", err)}
	}
	return nil
}

func (s *Jobs) applyChoiceOnce(ctx context.Context, user owner.User, party string) error {
	held, err := s.store.Holdings(ctx, user)
	if err != nil {
		return err
	}
	rows, err := s.store.PartyTransactions(ctx, user, party)
	if err != nil {
		return err
	}
	now := clock.Now(ctx, s.now)
	var changes []transaction.RowChange
	for _, old := range rows {
		if next := held.Choices.With(old); !next.SameAs(old) {
			next.UpdatedAt = now
			changes = append(changes, transaction.RowChange{Old: &old, New: next})
		}
	}
	return s.store.SaveChoices(ctx, user, held.ChoicesMade, changes)
}

// chooseAgain applies the user's choices for merchants as they are now.
func (r *reading) chooseAgain(ctx context.Context, st transaction.Statement) error {
	held, err := r.store.Holdings(ctx, st.Owner)
	if err != nil {
		return fmt.Errorf("read choices: %w", err)
	}
	r.lease.ChoicesMade = held.ChoicesMade
	for i := range st.Rows {
		st.Rows[i] = held.Choices.With(st.Rows[i])
	}
	return nil
}
