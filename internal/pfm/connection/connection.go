// Package connection connects users with their banks: it gets their consents, syncs accounts and
// transactions, and does what time brings to a connection until it is deleted.
package connection

import (
	"slices"
	"time"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Status is the status of a connection.
type Status string

// The statuses of a connection.
const (
	Pending        Status = "Pending"
	Active         Status = "Active"
	ActionRequired Status = "ActionRequired"
	Failed         Status = "Failed"
	Expired        Status = "Expired"
	Revoked        Status = "Revoked"
	// Deleting is the status of a connection that is being deleted.
	// Partners never see it.
	Deleting Status = "Deleting"
)

// transitions are the allowed status changes. Reconnecting leads back to Pending;
// nothing leads back from Deleting.
var transitions = map[Status][]Status{
	Pending:        {Active, Failed, Deleting},
	Active:         {ActionRequired, Expired, Revoked, Deleting},
	ActionRequired: {Active, Pending, Expired, Deleting},
	Failed:         {Pending, Deleting},
	Expired:        {Pending, Deleting},
	Revoked:        {Pending, Deleting},
}

// mayBecome reports whether the status may change to next.
func (s Status) mayBecome(next Status) bool {
	return slices.Contains(transitions[s], next)
}

// StatusReason is the reason for a connection's status; empty if there is nothing to
// report. The kinds of SupplierError are reasons too: on an Active or Pending
// connection they say why the last attempt failed.
type StatusReason string

// The reasons.
const (
	// ReasonNone: nothing to report.
	ReasonNone StatusReason = ""
	// ReasonLinkExpired: the user did not finish before the link expired.
	ReasonLinkExpired StatusReason = "LinkExpired"
	// ReasonPartiallyAuthorised: the connection is Pending because another person must authorise the consent, too.
	ReasonPartiallyAuthorised StatusReason = "PartiallyAuthorised"
	// ReasonUserCancelled: the user refused at the bank.
	ReasonUserCancelled StatusReason = "UserCancelled"
	// ReasonAuthorisationFailed: the bank did not let the user authorise.
	ReasonAuthorisationFailed StatusReason = "AuthorisationFailed"
	// ReasonConsentExpired: the consent expired.
	ReasonConsentExpired StatusReason = "ConsentExpired"
	// ReasonConsentRevoked: the user withdrew the consent at the bank.
	ReasonConsentRevoked StatusReason = "ConsentRevoked"
	// ReasonConsentReplaced: a newer consent at the same bank ended this one, or covers
	// all of its accounts.
	ReasonConsentReplaced StatusReason = "ConsentReplaced"
	// ReasonAccountsMismatch: the user reconnected, but with none of the known accounts.
	ReasonAccountsMismatch StatusReason = "AccountsMismatch"
	// ReasonUserErased: the user is being erased, and the job that deletes the
	// connection has not been created yet. Partners never see it.
	ReasonUserErased StatusReason = "UserErased"
	// ReasonPartialData: the connection is Active, but some of what the bank told could not
	// be read.
	ReasonPartialData StatusReason = "PartialData"
	// ReasonTermsNotAccepted: the connection is Active, but the bank is not read until the user accepts the terms.
	ReasonTermsNotAccepted StatusReason = "TermsNotAccepted"
	// ReasonInternalError: the last attempt failed on our side, not the bank's.
	ReasonInternalError StatusReason = "InternalError"
)

// Connection is a user's connection to one bank.
type Connection struct {
	ID           string       `dynamodbav:"id"`
	Owner        owner.User   `dynamodbav:"-"`
	ProviderID   string       `dynamodbav:"providerId"`
	ProviderName string       `dynamodbav:"providerName"`
	LogoURL      string       `dynamodbav:"logoUrl"`
	Status       Status       `dynamodbav:"status"`
	Reason       StatusReason `dynamodbav:"reason,omitempty"`
	CreatedAt    time.Time    `dynamodbav:"createdAt"`
	UpdatedAt    time.Time    `dynamodbav:"updatedAt"`

	// ReturnURL is where the user returns to the partner.
	ReturnURL string `dynamodbav:"returnUrl"`
	// HistoryDays is how far back the partner may read, as of the latest link; 0 for as far as the bank gives.
	HistoryDays int `dynamodbav:"historyDays,omitempty"`
	// LinkHash is the digest of the key that browsers get from the latest link.
	LinkHash string `dynamodbav:"linkHash"`
	// Authorisation is the authorisation in progress; nil if there is none.
	Authorisation *Authorisation `dynamodbav:"-"`

	// ConsentID is the consent under which accounts are read; empty before the
	// first.
	ConsentID string `dynamodbav:"consentId,omitempty"`
	// Secret is that of the Session.
	Secret string `dynamodbav:"secret,omitempty"`
	// ConsentExpiresAt is when the consent stops being valid, or when it stopped.
	ConsentExpiresAt time.Time `dynamodbav:"consentExpiresAt,omitempty"`
	// AuthorisedAt is when the user authorised the consent; zero before the first.
	AuthorisedAt time.Time `dynamodbav:"authorisedAt,omitempty"`
	// Consented is the record of the user's consent on our page; empty if there was no page. ConsentSeen: the record
	// has the accounts.
	Consented   string `dynamodbav:"consented,omitempty"`
	ConsentSeen bool   `dynamodbav:"consentSeen,omitempty"`
	// Access says which parts of the accounts the consent covers.
	Access pfm.Access `dynamodbav:"-"`
	// LastNotice is the number of days before expiry for which partners were last
	// notified; 0 before the first notice.
	LastNotice int `dynamodbav:"lastNotice,omitempty"`

	// DataExpiresAt is when the data of an ended connection is deleted; zero until housekeeping has set it.
	DataExpiresAt time.Time `dynamodbav:"dataExpiresAt,omitempty"`
	// DataNoticed: partners have been told of DataExpiresAt.
	DataNoticed bool `dynamodbav:"dataNoticed,omitempty"`

	// TestRows are those that the next sync reads; only in the sandbox.
	TestRows TestRows `dynamodbav:"-"`
	// SyncRequestedAt is when the outstanding sync was requested; zero if none is
	// outstanding.
	SyncRequestedAt time.Time `dynamodbav:"syncRequestedAt,omitempty"`
	// HeldAt is when a sync was last put off because the partner is disabled.
	HeldAt time.Time `dynamodbav:"heldAt,omitempty"`
	// LastSuccessAt is when all accounts were last read; zero before the first time.
	LastSuccessAt time.Time `dynamodbav:"lastSuccessAt,omitempty"`
	// SyncEndedAt is when the last sync ended, successful or not; zero before the
	// first.
	SyncEndedAt time.Time `dynamodbav:"syncEndedAt,omitempty"`
	// SyncFailing reports whether partners know that syncs of the Active connection fail.
	SyncFailing bool `dynamodbav:"syncFailing,omitempty"`
	// Unattended has the times of the last reads without the user, oldest first: maxUnattended at most.
	Unattended []time.Time `dynamodbav:"unattended,omitempty"`
	// Partial is what the last successful sync could not read.
	Partial Partial `dynamodbav:"-"`
	// Refusal is the bank's answer because of which the last sync failed or is partial, or an authorisation
	// failed after it; nil if there is none.
	Refusal *Refusal `dynamodbav:"refusal,omitempty"`
	// SignsUsed: the bank has told an expense by a minus, or in a field of its own.
	SignsUsed bool `dynamodbav:"signsUsed,omitempty"`
	// RefreshTimeoutMinutes and AutomaticFetch are copied from the provider when a
	// link is created.
	RefreshTimeoutMinutes int  `dynamodbav:"refreshTimeoutMinutes"`
	AutomaticFetch        bool `dynamodbav:"automaticFetch,omitempty"`

	// Version counts the writes, for optimistic locking.
	Version int64 `dynamodbav:"version"`
	// Events are the events for the changes since the connection was read. The next
	// write stores them.
	Events []pfm.Event `dynamodbav:"-"`
	// Consents are new consent records, and changes of those that exist. The next write stores them.
	Consents []ConsentRecord `dynamodbav:"-"`
}

// Authorisation is an attempt by the user to authorise a consent at the bank.
type Authorisation struct {
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
	// Link is the secret of the link. It is not stored, so it is set only when the link
	// is made.
	Link string `dynamodbav:"-"`
	// Consented is the record of the user's consent on our page; empty before it.
	Consented string `dynamodbav:"consented,omitempty"`
	// ConsentID, Secret and Next are set once the user has opened the link; the first two
	// are those of the Session.
	ConsentID string   `dynamodbav:"consentId,omitempty"`
	Secret    string   `dynamodbav:"secret,omitempty"`
	Next      pfm.Step `dynamodbav:"-"`
	// StateHash is the returnHash of what the bank must return. After a question to the user,
	// some banks return that of the request before it: AskedStateHash.
	StateHash      string `dynamodbav:"stateHash,omitempty"`
	AskedStateHash string `dynamodbav:"askedStateHash,omitempty"`
	// TriedAt is when the bank was last asked in Next how the consent stands, or when the
	// query began to be used that works only once. Tries counts the user's answers.
	TriedAt time.Time `dynamodbav:"triedAt,omitempty"`
	Tries   int       `dynamodbav:"tries,omitempty"`
}

// Refusal is a bank's failed answer, as support needs it to ask the bank. Its members are those of pfm.SupplierError.
type Refusal struct {
	At        time.Time `dynamodbav:"at"`
	Operation string    `dynamodbav:"operation"`
	Status    int       `dynamodbav:"status,omitempty"`
	Code      string    `dynamodbav:"code,omitempty"`
	Message   string    `dynamodbav:"message,omitempty"`
	RequestID string    `dynamodbav:"requestId,omitempty"`
}

// refusalIn returns the bank's failed answer behind an error, or nil.
func refusalIn(err error, at time.Time) *Refusal {
	e := pfm.FailureOf(err)
	if e.Kind == "" {
		return nil
	}
	return &Refusal{at, e.Operation, e.Status, e.BankCode, e.Message, e.RequestID}
}

// within returns the provider with no more history than the partner may read.
func (c Connection) within(p pfm.Provider) pfm.Provider {
	if c.HistoryDays > 0 {
		p.MaxFetchInterval = min(p.MaxFetchInterval, c.HistoryDays)
	}
	return p
}

// change returns the authorisation in progress for a change that copies of c do not see.
func (c *Connection) change() *Authorisation {
	a := *c.Authorisation
	c.Authorisation = &a
	return &a
}

// session returns the authority under which the connection is read.
func (c Connection) session() pfm.Session {
	return pfm.Session{ConnectionID: c.ID, ConsentID: c.ConsentID, Secret: c.Secret, Access: c.Access}
}

// IsActive reports whether we keep the bank's data up to date.
func (c Connection) IsActive() bool { return c.Status == Active }

// NextRefreshPossibleAt returns when the connection may be refreshed next. It is zero
// before the first success.
func (c Connection) NextRefreshPossibleAt() time.Time {
	if c.LastSuccessAt.IsZero() {
		return time.Time{}
	}
	return c.LastSuccessAt.Add(c.refreshTimeout())
}

func (c Connection) refreshTimeout() time.Duration {
	return time.Duration(c.RefreshTimeoutMinutes) * time.Minute
}

// transition changes the status and reports whether that was allowed; if not, nothing
// changes. Nothing else may change the status, so that every change has its event.
func (c *Connection) transition(next Status, reason StatusReason, at time.Time) bool {
	if !c.Status.mayBecome(next) {
		return false
	}
	old := *c
	c.Status, c.Reason, c.UpdatedAt = next, reason, at
	c.DataExpiresAt, c.DataNoticed = time.Time{}, false
	ended := next == Expired || next == Revoked
	if ended || next == Deleting {
		c.endConsent(endedBy(next, reason), at)
	}
	if next == Deleting {
		c.dropConsent(ConsentUnused, at)
	}
	if ended { // nothing can be read with it any longer
		c.Secret = ""
	}
	if ended && (c.ConsentExpiresAt.IsZero() || at.Before(c.ConsentExpiresAt)) {
		c.ConsentExpiresAt = at
	}
	c.addStatusEvent(old, at)
	if next != Active { // only active connections are read
		c.SyncRequestedAt, c.SyncFailing = time.Time{}, false
	}
	return true
}

// openLink starts an authorisation; p is the provider's current record, and link the
// secret of the link. An Active connection stays Active, with its data, until the user
// authorises the new consent. Any earlier link stops working.
func (c *Connection) openLink(p pfm.Provider, to owner.Destination, link string, now time.Time) {
	c.dropConsent(ConsentUnused, now)
	if !c.IsActive() {
		c.transition(Pending, ReasonNone, now)
	}
	c.ProviderName, c.LogoURL = p.Name, p.LogoURL
	c.RefreshTimeoutMinutes = p.RefreshTimeoutMinutes
	c.AutomaticFetch = p.AutomaticFetch != nil && *p.AutomaticFetch
	c.ReturnURL, c.HistoryDays, c.UpdatedAt = to.To, to.HistoryDays, now
	c.LinkHash = digest(digest(link))
	c.Authorisation = &Authorisation{Link: link, ExpiresAt: now.Add(LinkLifetime).Truncate(time.Second)}
}

// LinkAddress is the address of a link that was just made.
func (c Connection) LinkAddress(baseURL string) string {
	return baseURL + "/connect?connectionId=" + c.ID + "&link=" + c.Authorisation.Link
}

// fail ends the authorisation. A Pending connection becomes Failed. A connection that
// has data keeps its status, because its previous consent is still valid.
func (c *Connection) fail(reason StatusReason, at time.Time) {
	c.dropConsent(ConsentUnused, at)
	c.Authorisation = nil
	c.UpdatedAt = at
	if c.Status == Pending {
		c.transition(Failed, reason, at)
	}
}

// setPendingReason records how the authorisation is going, if the connection is
// Pending.
func (c *Connection) setPendingReason(reason StatusReason, at time.Time) {
	c.UpdatedAt = at
	if c.Status == Pending {
		c.Reason = reason
	}
}

// activate switches to the consent that the user has just authorised.
func (c *Connection) activate(consent pfm.Consent, maxDays int, at time.Time) {
	// If the previous consent ended while the user was renewing it, this is a reconnect.
	c.transition(Pending, ReasonNone, at)
	if renewal := c.IsActive(); renewal {
		c.Reason = ReasonNone
		c.addEvent(EventActivated, at)
	}
	c.transition(Active, ReasonNone, at)
	c.ConsentID, c.Secret, c.AuthorisedAt = c.Authorisation.ConsentID, c.Authorisation.Secret, at
	c.ConsentExpiresAt, c.LastNotice, c.Access = expiry(consent, at, maxDays), 0, consent.Access
	c.endConsent(ConsentReplaced, at)
	c.Consented = c.Authorisation.Consented
	c.noteConsent(c.Consented, ConsentRecord{Status: ConsentActive, AuthorisedAt: at, ValidUntil: c.ConsentExpiresAt})
	c.markNotices(at) // a consent that is short from the start needs no notice
	c.Reason, c.Authorisation, c.Refusal = ReasonNone, nil, nil
	c.SyncRequestedAt, c.UpdatedAt = at, at
}

// refuseAccounts gives up a consent that brought none of the known accounts.
func (c *Connection) refuseAccounts(at time.Time) {
	c.transition(ActionRequired, ReasonAccountsMismatch, at)
	c.endConsent(ConsentUnused, at)
	c.ConsentID, c.Secret, c.ConsentExpiresAt, c.LastNotice = "", "", time.Time{}, 0
}

// The types of the events about connections.
const (
	EventActivated           = "connection.activated"
	EventFailed              = "connection.failed"
	EventRefreshed           = "connection.refreshed"
	EventActionRequired      = "connection.action_required"
	EventExpiring            = "connection.expiring"
	EventDataExpiring        = "connection.data_expiring"
	EventExpired             = "connection.expired"
	EventRevoked             = "connection.revoked"
	EventDeleted             = "connection.deleted"
	EventSyncFailed          = "connection.sync_failed"
	EventSyncRecovered       = "connection.sync_recovered"
	EventTransactionsUpdated = "transactions.updated"
)

// EventData is the data of all events except EventTransactionsUpdated.
type EventData struct {
	ConnectionID string       `json:"connectionId"`
	ProviderID   string       `json:"providerId"`
	Status       Status       `json:"connectionStatus"`
	Reason       StatusReason `json:"statusReason"`
	// ConsentExpiresAt is set for EventExpiring and EventExpired only.
	ConsentExpiresAt *time.Time `json:"consentExpiresAt,omitempty"`
	// DataExpiresAt is set for EventDataExpiring only.
	DataExpiresAt *time.Time `json:"dataExpiresAt,omitempty"`
}

// TransactionsEventData is the data of EventTransactionsUpdated.
type TransactionsEventData struct {
	ConnectionID string `json:"connectionId"`
	Added        int    `json:"added"`
	Modified     int    `json:"modified"`
	// Removed is always 0, because no sync removes transactions: one that the bank no
	// longer lists becomes Void, or stays.
	Removed int    `json:"removed"`
	Since   string `json:"since"`
}

// ChangesToken returns the token with which a partner requests the changes to a user's
// transactions after a position.
type ChangesToken func(user owner.User, since transaction.ChangePosition) string

// SyncChanges counts the changes by syncs of a connection since partners were last
// notified.
type SyncChanges struct {
	Since           transaction.ChangePosition
	Added, Modified int
}

// addEvent adds an event, which the next write of c stores.
func (c *Connection) addEvent(kind string, at time.Time) {
	d := EventData{ConnectionID: c.ID, ProviderID: c.ProviderID, Status: c.Status, Reason: c.Reason}
	if kind == EventExpiring || kind == EventExpired {
		end := c.ConsentExpiresAt.UTC()
		d.ConsentExpiresAt = &end
	}
	if kind == EventDataExpiring {
		end := c.DataExpiresAt.UTC()
		d.DataExpiresAt = &end
	}
	c.Events = append(c.Events, pfm.Event{Type: kind, At: at, Data: d})
}

// addStatusEvent adds the event for c's new status; old is c before the change. A
// connection that is deleted with its user has no event of its own, because
// user.erased covers it. The event of a deletion has the last status that partners saw.
func (c *Connection) addStatusEvent(old Connection, at time.Time) {
	switch c.Status {
	case Deleting:
		if c.Reason != ReasonUserErased {
			old.addEvent(EventDeleted, at)
			c.Events = old.Events
		}
	case Pending: // no event: the partner has just asked for this
	default:
		c.addEvent(map[Status]string{
			Active: EventActivated, Failed: EventFailed, ActionRequired: EventActionRequired, Expired: EventExpired,
			Revoked: EventRevoked,
		}[c.Status], at)
	}
}

// setSyncFailing records whether syncs of an Active connection fail. It adds an event if
// that has changed, so partners hear once of syncs that keep failing. The event for
// another status covers both.
func (c *Connection) setSyncFailing(failing bool, at time.Time) {
	if failing == c.SyncFailing || !c.IsActive() {
		return
	}
	c.SyncFailing = failing
	kind := EventSyncRecovered
	if failing {
		kind = EventSyncFailed
	}
	c.addEvent(kind, at)
}

// addTransactionsEvent adds the event of the changes by syncs, if there are any.
func (c *Connection) addTransactionsEvent(changes SyncChanges, token ChangesToken, at time.Time) {
	if changes.Added+changes.Modified > 0 {
		c.Events = append(c.Events, pfm.Event{Type: EventTransactionsUpdated, At: at, Data: TransactionsEventData{
			ConnectionID: c.ID, Added: changes.Added, Modified: changes.Modified, Since: token(c.Owner, changes.Since),
		}})
	}
}

// IsRefreshed reports whether the next write of c stores an EventRefreshed.
func (c Connection) IsRefreshed() bool {
	return slices.ContainsFunc(c.Events, func(e pfm.Event) bool { return e.Type == EventRefreshed })
}
