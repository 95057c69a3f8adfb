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
	// ConnectionDeleting is on its way out and is shown to nobody.
	ConnectionDeleting ConnectionStatus = "Deleting"
)

// transitions are all steps a connection can take; reconnecting leads back to
// Pending, and nothing leads back from Deleting.
var transitions = map[ConnectionStatus][]ConnectionStatus{
	ConnectionPending:        {ConnectionActive, ConnectionFailed, ConnectionDeleting},
	ConnectionActive:         {ConnectionActionRequired, ConnectionExpired, ConnectionRevoked, ConnectionDeleting},
	ConnectionActionRequired: {ConnectionActive, ConnectionPending, ConnectionDeleting},
	ConnectionFailed:         {ConnectionPending, ConnectionDeleting},
	ConnectionExpired:        {ConnectionPending, ConnectionDeleting},
	ConnectionRevoked:        {ConnectionPending, ConnectionDeleting},
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
	// ReasonUserErased: the user is being erased, and nobody has been asked yet
	// to delete the connection. Shown to nobody.
	ReasonUserErased StatusReason = "UserErased"
	// ReasonInternalError: we failed at the last try, not the bank.
	ReasonInternalError StatusReason = "InternalError"
)

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
	// LastNotice is how many days before that end partners were last told of it;
	// 0 before the first time.
	LastNotice int

	// SyncRequestedAt is when the sync that is still to come was asked for; zero
	// when none is.
	SyncRequestedAt time.Time
	// LastSuccessAt is when all accounts were last read; zero before the first.
	LastSuccessAt time.Time
	// SyncEndedAt is when the last sync ended, well or not; zero before the
	// first.
	SyncEndedAt time.Time
	// Unattended counts the day's reads without the user.
	Unattended Unattended
	// RefreshTimeoutMinutes and AutomaticFetch are the provider's, as of the
	// last link.
	RefreshTimeoutMinutes int
	AutomaticFetch        bool

	// Version counts the changes; a write names the one it was based on.
	Version int64
	// Events are what partners are to be told of the changes since c was read.
	Events []Event
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
	return c.LastSuccessAt.Add(c.refreshTimeout())
}

func (c Connection) refreshTimeout() time.Duration {
	return time.Duration(c.RefreshTimeoutMinutes) * time.Minute
}

// move takes a step and tells whether it is one that the connection can take;
// else nothing changes. No step is taken elsewhere, so that none goes without
// its event.
func (c *Connection) move(next ConnectionStatus, reason StatusReason, at time.Time) bool {
	if !c.Status.mayBecome(next) {
		return false
	}
	was := *c
	c.Status, c.Reason, c.UpdatedAt = next, reason, at
	c.tellStep(was, at)
	if next != ConnectionActive { // nothing is read but what is active
		c.SyncRequestedAt = time.Time{}
	}
	return true
}

// openLink begins a way to the bank; provider is the record of now. A
// connection that is Active stays so, with its data, until the new consent is
// authorised. The link that was open before leads nowhere any more.
func (c *Connection) openLink(p Provider, returnURL string, now time.Time) {
	if !c.IsActive() {
		c.move(ConnectionPending, ReasonNone, now)
	}
	c.ProviderName, c.LogoURL = p.Name, p.LogoURL
	c.RefreshTimeoutMinutes, c.AutomaticFetch = p.RefreshTimeoutMinutes, p.AutomaticFetch != nil && *p.AutomaticFetch
	c.ReturnURL, c.UpdatedAt = returnURL, now
	c.Authorisation = &Authorisation{ExpiresAt: now.Add(LinkLife).Truncate(time.Second)}
}

// fail ends the way to the bank. A connection that was Pending becomes Failed;
// one that has data keeps its status, since its former consent still holds.
func (c *Connection) fail(reason StatusReason, at time.Time) {
	c.Authorisation = nil
	c.UpdatedAt = at
	if c.Status == ConnectionPending {
		c.move(ConnectionFailed, reason, at)
	}
}

// note tells how the way to the bank is going, where the connection has nothing
// else to tell.
func (c *Connection) note(reason StatusReason, at time.Time) {
	c.UpdatedAt = at
	if c.Status == ConnectionPending {
		c.Reason = reason
	}
}

// activate puts the consent that the user has just authorised in force.
func (c *Connection) activate(consent Consent, at time.Time) {
	// A renewal may outlive the consent that it was to renew: then it is a
	// reconnect.
	c.move(ConnectionPending, ReasonNone, at)
	if renewal := c.IsActive(); renewal {
		c.Reason = ReasonNone
		c.tell(EventActivated, at)
	}
	c.move(ConnectionActive, ReasonNone, at)
	c.ConsentID = c.Authorisation.ConsentID
	c.ConsentExpiresAt, c.LastNotice = consent.expiry(at), 0
	c.passNotices(at) // of an end that is near from the beginning nobody needs to be told
	c.Reason, c.Authorisation = ReasonNone, nil
	c.SyncRequestedAt, c.UpdatedAt = at, at
}
