package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// ConsentStatus says what happened to a user's answer on our consent page.
type ConsentStatus string

// The statuses of a consent record. All but the first two are final.
const (
	// ConsentGiven: the user agreed, and has not finished at the bank yet.
	ConsentGiven ConsentStatus = "Given"
	// ConsentActive: the bank is read with it.
	ConsentActive ConsentStatus = "Active"
	// ConsentDeclined: the user chose to leave.
	ConsentDeclined ConsentStatus = "Declined"
	// ConsentUnused: the user agreed, but did not finish at the bank, or none of the known accounts came.
	ConsentUnused   ConsentStatus = "Unused"
	ConsentExpired  ConsentStatus = "Expired"
	ConsentRevoked  ConsentStatus = "Revoked"  // at the bank
	ConsentReplaced ConsentStatus = "Replaced" // by a newer one
	// ConsentWithdrawn: the connection was deleted.
	ConsentWithdrawn ConsentStatus = "Withdrawn"
	// ConsentErased: the user was erased.
	ConsentErased ConsentStatus = "Erased"
)

// ConsentRecord shows what a user was told and answered on our page, and what happened to it (GDPR, articles 7(1) and
// 7(3)). It names no user, so that it may outlive the erasure; only who knows the connection's ID finds it.
type ConsentRecord struct {
	ID           string `dynamodbav:"id"`
	ProviderID   string `dynamodbav:"providerId"`
	ProviderName string `dynamodbav:"providerName"`
	ConsentText
	Status ConsentStatus `dynamodbav:"status,omitempty"`
	// The user pressed a button at AnsweredAt. AuthorisedAt and EndedAt are zero until these things happen.
	AnsweredAt   time.Time `dynamodbav:"answeredAt"`
	AuthorisedAt time.Time `dynamodbav:"authorisedAt,omitempty"`
	EndedAt      time.Time `dynamodbav:"endedAt,omitempty"`
	// The consent ends by itself at ValidUntil.
	ValidUntil time.Time `dynamodbav:"validUntil,omitempty"`
	// AccountIDs are the accounts that the first sync found.
	AccountIDs []string `dynamodbav:"accountIds,omitempty"`
	// The record is deleted at KeptUntil.
	KeptUntil time.Time `dynamodbav:"-"`
}

// ConsentText is what the page said, without its layout.
type ConsentText struct {
	Text     string `dynamodbav:"text,omitempty"`
	Language string `dynamodbav:"language,omitempty"`
	// Version is that of the wording, apart from names and days.
	Version int `dynamodbav:"version,omitempty"`
}

// Digest returns the SHA-256 of the text, in hexadecimal.
func (t ConsentText) Digest() string { return digest(t.Text) }

// ConsentQuestion has the contents of our consent page.
type ConsentQuestion struct {
	// LastDay is the last day on which the consent may be used, HistoryDays how far back the bank gives transactions.
	LastDay     pfm.Date
	HistoryDays int
}

// ConsentAnswer is the user's answer on our page.
type ConsentAnswer struct {
	Agreed bool
	// Seen is the digest of the text that the user saw, and Words returns what it is now.
	Seen  string
	Words func(Visit) ConsentText
}

// asksConsent reports whether the user has to answer on our page before the bank is asked.
func (a *attempt) asksConsent() bool { return a.ConsentDays > 0 && a.c.Authorisation.Consented == "" }

// askConsent lets the page ask for the consent.
func (a *attempt) askConsent(ctx context.Context) error {
	p, err := a.Store.Provider(ctx, a.c.ProviderID)
	if err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	last := pfm.DateOf(clock.Now(ctx, a.Now)).AddDays(p.ConsentDays() - 1)
	a.Question = &ConsentQuestion{LastDay: last, HistoryDays: a.c.within(p).MaxFetchInterval}
	return nil
}

// Consent handles the user's answer on our page. It keeps a record of it, and then asks the bank, or sends the user
// back. If the page would say something else by now, it is shown again.
func (s *Connections) Consent(
	ctx context.Context, connectionID string, answer ConsentAnswer, v Visitor,
) (Visit, error) {
	return s.atStep(ctx, connectionID, v, func(ctx context.Context, a *attempt) error {
		own := a.c.nextAddress(v.BaseURL)
		if !a.asksConsent() { // answered in another tab
			a.RedirectTo = own
			return nil
		}
		if err := a.askConsent(ctx); err != nil {
			return err
		}
		text := answer.Words(a.Visit)
		if text.Text == "" || !isEqual(text.Digest(), answer.Seen) {
			return nil
		}
		now := clock.Now(ctx, s.Now)
		end := a.Question.LastDay.AddDays(1).Time()
		a.Question = nil
		record := ConsentRecord{
			ID: s.NewID(), ProviderID: a.c.ProviderID, ProviderName: a.c.ProviderName, ConsentText: text, Status: ConsentGiven,
			AnsweredAt: now, ValidUntil: end, KeptUntil: end.AddDate(0, 0, s.ConsentDays),
		}
		if !answer.Agreed {
			old := a.c
			record.Status, record.EndedAt = ConsentDeclined, now
			a.c.Consents = []ConsentRecord{record}
			a.c.fail(ReasonUserCancelled, now)
			return a.end(ctx, OutcomeCancelled, old.endConsents(a.c)...)
		}
		a.c.Consents, a.c.change().Consented = []ConsentRecord{record}, record.ID
		err := a.save(ctx, ErrLinkUsed)
		if errors.Is(err, ErrLinkUsed) { // another tab was faster
			a.RedirectTo = own
			return nil
		}
		if err != nil {
			return err
		}
		a.c.Version, a.c.Consents = a.c.Version+1, nil
		return s.begin(ctx, a)
	})
}

// noteConsent adds what happened to a consent to what the next write of c stores. Without an ID there is none.
func (c *Connection) noteConsent(id string, becomes ConsentRecord) {
	if id != "" {
		becomes.ID = id
		c.Consents = append(slices.Clone(c.Consents), becomes)
	}
}

// endConsent records how the consent under which accounts are read has ended.
func (c *Connection) endConsent(status ConsentStatus, at time.Time) {
	c.noteConsent(c.Consented, ConsentRecord{Status: status, EndedAt: at})
	c.Consented, c.ConsentSeen = "", false
}

// dropConsent records that the authorisation in progress will not use the user's consent.
func (c *Connection) dropConsent(status ConsentStatus, at time.Time) {
	if c.Authorisation != nil && c.Authorisation.Consented != "" {
		c.noteConsent(c.Authorisation.Consented, ConsentRecord{Status: status, EndedAt: at})
		c.change().Consented = ""
	}
}

// noteAccounts records which accounts the first sync found under the consent.
func (c *Connection) noteAccounts(accounts []pfm.Account) {
	if c.Consented == "" || c.ConsentSeen {
		return
	}
	ids := make([]string, 0, len(accounts))
	for _, a := range accounts {
		ids = append(ids, a.ID)
	}
	c.ConsentSeen = true
	c.noteConsent(c.Consented, ConsentRecord{AccountIDs: ids})
}

// How the status of a connection ends its consent.
func endedBy(next Status, reason StatusReason) ConsentStatus {
	switch {
	case next == Deleting && reason == ReasonUserErased:
		return ConsentErased
	case next == Deleting:
		return ConsentWithdrawn
	case reason == ReasonConsentReplaced:
		return ConsentReplaced
	case next == Revoked:
		return ConsentRevoked
	}
	return ConsentExpired
}

// Consents returns the records of the user's answers on our page about a connection, which may be deleted, the
// latest first.
func (s *Connections) Consents(ctx context.Context, user owner.User, id string) ([]ConsentRecord, error) {
	return owner.Read(ctx, s.AnyUser, user, func(ctx context.Context) ([]ConsentRecord, error) {
		records, err := s.Store.ConsentRecords(ctx, user, id)
		if errors.Is(err, outcome.ErrNotFound) { // the user has never seen the page for it
			_, err = s.owned(ctx, user, id)
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("read consent records: %w", err)
		}
		now := clock.Now(ctx, s.Now)
		for i, r := range records {
			if r.Status == ConsentActive && !now.Before(r.ValidUntil) { // before housekeeping has stored that
				records[i].Status, records[i].EndedAt = ConsentExpired, r.ValidUntil
			}
		}
		slices.SortFunc(records, func(a, b ConsentRecord) int { return b.AnsweredAt.Compare(a.AnsweredAt) })
		return records, nil
	})
}
