package pfm

import (
	"slices"
	"time"

	"aviso/internal/owner"
)

// ConnectionStatus is where a connection stands.
type ConnectionStatus string

// The states of a connection.
const (
	ConnectionPending        ConnectionStatus = "Pending"
	ConnectionActive         ConnectionStatus = "Active"
	ConnectionActionRequired ConnectionStatus = "ActionRequired"
	ConnectionFailed         ConnectionStatus = "Failed"
	ConnectionExpired        ConnectionStatus = "Expired"
	ConnectionRevoked        ConnectionStatus = "Revoked"
)

// transitions are all steps a connection can take; reconnecting leads back to
// Pending.
var transitions = map[ConnectionStatus][]ConnectionStatus{
	ConnectionPending:        {ConnectionActive, ConnectionFailed},
	ConnectionActive:         {ConnectionActionRequired, ConnectionExpired, ConnectionRevoked},
	ConnectionActionRequired: {ConnectionActive, ConnectionPending},
	ConnectionFailed:         {ConnectionPending},
	ConnectionExpired:        {ConnectionPending},
	ConnectionRevoked:        {ConnectionPending},
}

// mayBecome tells whether the step is one a connection can take.
func (s ConnectionStatus) mayBecome(next ConnectionStatus) bool {
	return slices.Contains(transitions[s], next)
}

// StatusReason tells why a connection stands where it does; empty when there is
// nothing to tell. The kinds of SupplierError are reasons too: on an Active or
// Pending connection they tell what went wrong at the last try.
type StatusReason string

// The reasons.
const (
	// ReasonNone: nothing to tell.
	ReasonNone StatusReason = ""
	// ReasonLinkExpired: the user did not finish within the life of the link.
	ReasonLinkExpired StatusReason = "LinkExpired"
	// ReasonUserCancelled: the user refused at the bank.
	ReasonUserCancelled StatusReason = "UserCancelled"
	// ReasonAuthorisationFailed: the bank did not let the user authorise.
	ReasonAuthorisationFailed StatusReason = "AuthorisationFailed"
	// ReasonConsentExpired: the consent ran out.
	ReasonConsentExpired StatusReason = "ConsentExpired"
	// ReasonConsentRevoked: the user withdrew the consent at the bank.
	ReasonConsentRevoked StatusReason = "ConsentRevoked"
	// ReasonConsentReplaced: a newer consent at the same bank ended this one.
	ReasonConsentReplaced StatusReason = "ConsentReplaced"
	// ReasonInternalError: we failed at the last try, not the bank.
	ReasonInternalError StatusReason = "InternalError"
)

// LinkLife is how long a user has to open the link and to finish at the bank.
const LinkLife = 30 * time.Minute

// Connection is a user's connection to one bank.
type Connection struct {
	ID           string
	Owner        owner.User
	ProviderID   string
	ProviderName string
	LogoURL      string
	Status       ConnectionStatus
	Reason       StatusReason
	CreatedAt    time.Time
	UpdatedAt    time.Time

	// ReturnURL is where the user goes back to the partner.
	ReturnURL string
	// Authorisation is the way to the bank that is open now; nil when none is.
	Authorisation *Authorisation

	// ConsentID is the consent under which accounts are read; empty before the
	// first.
	ConsentID string
	// ConsentExpiresAt is the first moment at which it no longer holds.
	ConsentExpiresAt time.Time

	// SyncRequestedAt is when the sync that is still to come was asked for; zero
	// when none is.
	SyncRequestedAt time.Time
	// LastSuccessAt is when all accounts were last read; zero before the first.
	LastSuccessAt time.Time
	// RefreshTimeoutMinutes is the provider's, as of the connection's start.
	RefreshTimeoutMinutes int

	// Version counts the changes; a write names the one it was based on.
	Version int64
}

// Authorisation is one user's way to the bank and back.
type Authorisation struct {
	ExpiresAt time.Time
	// ConsentID and BankURL are set once the user has opened the link.
	ConsentID string
	BankURL   string
	// StateHash is the digest of the secret that the bank gives back.
	StateHash string
}

// IsActive tells whether the bank's data is being kept up to date.
func (c Connection) IsActive() bool { return c.Status == ConnectionActive }

// NextRefreshPossibleAt is zero before the first success.
func (c Connection) NextRefreshPossibleAt() time.Time {
	if c.LastSuccessAt.IsZero() {
		return time.Time{}
	}
	return c.LastSuccessAt.Add(time.Duration(c.RefreshTimeoutMinutes) * time.Minute)
}

// At is the connection as it stands at a moment: a link that has run out counts
// as failed even before housekeeping has written that down.
func (c Connection) At(now time.Time) Connection {
	if c.Status == ConnectionPending && c.Authorisation != nil && !now.Before(c.Authorisation.ExpiresAt) {
		c.fail(ReasonLinkExpired, c.Authorisation.ExpiresAt)
	}
	return c
}

// fail ends the way to the bank. A connection that was Pending becomes Failed;
// one that has data keeps its status, since its former consent still holds.
func (c *Connection) fail(reason StatusReason, at time.Time) {
	c.Authorisation = nil
	c.UpdatedAt = at
	if c.Status.mayBecome(ConnectionFailed) {
		c.Status, c.Reason = ConnectionFailed, reason
	}
}

// activate puts the consent that the user has just authorised in force. A bank
// may name a day far off (9999-12-31), or none; the law ends it anyway.
func (c *Connection) activate(consent Consent, at time.Time) {
	lastDay := DateOf(at).AddDays(MaxConsentDays)
	if consent.ValidUntil != "" {
		lastDay = min(lastDay, consent.ValidUntil)
	}
	c.ConsentID = c.Authorisation.ConsentID
	c.ConsentExpiresAt = lastDay.AddDays(1).Time()
	c.Status, c.Reason = ConnectionActive, ReasonNone
	c.Authorisation = nil
	c.SyncRequestedAt, c.UpdatedAt = at, at
}

// DueKind sorts what housekeeping has to do with a connection.
type DueKind string

// What may fall due.
const (
	// DueLink: the way to the bank runs out.
	DueLink DueKind = "Link"
	// DueSync: a sync was asked for, and nothing has been heard of it.
	DueSync DueKind = "Sync"
)

// syncPatience is how long a sync may take with all its retries, before it
// counts as lost.
const syncPatience = 2 * time.Hour

// Due is what housekeeping has to do with the connection, and when; an empty
// kind for nothing.
func (c Connection) Due() (DueKind, time.Time) {
	switch {
	case c.Authorisation != nil:
		return DueLink, c.Authorisation.ExpiresAt
	case !c.SyncRequestedAt.IsZero():
		return DueSync, c.SyncRequestedAt.Add(syncPatience)
	default:
		return "", time.Time{}
	}
}
