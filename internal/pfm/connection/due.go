package connection

import (
	"hash/fnv"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// DueKind is a kind of work that housekeeping does on a connection.
type DueKind string

// The kinds of work.
const (
	// DueLink: the link has expired.
	DueLink DueKind = "Link"
	// DueSync: a sync was requested, and its job seems to be lost.
	DueSync DueKind = "Sync"
	// DueNotice: it is time to notify partners that the consent will expire.
	DueNotice DueKind = "Notice"
	// DueConsent: the consent has expired.
	DueConsent DueKind = "Consent"
	// DueRefresh: it is time for an automatic refresh.
	DueRefresh DueKind = "Refresh"
	// DueDelete: a deletion was started, and its job seems to be lost.
	DueDelete DueKind = "Delete"
)

// dueKinds returns all kinds, in the order in which housekeeping handles them.
func dueKinds() []DueKind {
	return []DueKind{DueDelete, DueLink, DueConsent, DueNotice, DueSync, DueRefresh}
}

// isLostJob reports whether the work is a job of bank-sync that seems to be lost.
func (k DueKind) isLostJob() bool { return k == DueSync || k == DueDelete }

const (
	// jobTimeout is how long a job may take, with all its retries, before it counts as
	// lost.
	jobTimeout = 2 * time.Hour
	// refreshInterval is the time between automatic refreshes: four a day.
	refreshInterval = 6 * time.Hour
	// maxUnattended is how often a bank lets us read an account in a day without the
	// user (RTS, article 36(5)(b)).
	maxUnattended = 4
)

// Unattended counts the reads of a connection's accounts without the user, on
// one day in UTC.
type Unattended struct {
	Day   pfm.Date `dynamodbav:"unattendedDay,omitempty"`
	Count int      `dynamodbav:"unattendedCount,omitempty"`
}

// isFull reports whether the day's limit is used up.
func (u Unattended) isFull(day pfm.Date) bool { return u.Day == day && u.Count >= maxUnattended }

// countUnattended counts one more read without the user. It returns false, and counts
// nothing, if the day's limit is used up.
func (c *Connection) countUnattended(at time.Time) bool {
	day := pfm.DateOf(at)
	if c.Unattended.isFull(day) {
		return false
	}
	if c.Unattended.Day != day {
		c.Unattended = Unattended{Day: day}
	}
	c.Unattended.Count++
	return true
}

// Due returns the next work for housekeeping on the connection and its time, or an
// empty kind if there is none.
func (c Connection) Due() (DueKind, time.Time) {
	if c.Status == Deleting {
		return DueDelete, c.UpdatedAt.Add(jobTimeout)
	}
	first, at := DueKind(""), time.Time{}
	consider := func(kind DueKind, when time.Time) {
		if !when.IsZero() && (first == "" || when.Before(at)) {
			first, at = kind, when
		}
	}
	if c.Authorisation != nil {
		consider(DueLink, c.Authorisation.ExpiresAt)
	}
	if c.IsActive() && !c.ConsentExpiresAt.IsZero() {
		consider(DueNotice, c.NextNoticeAt())
		consider(DueConsent, c.ConsentExpiresAt)
	}
	if !c.SyncRequestedAt.IsZero() {
		consider(DueSync, c.SyncRequestedAt.Add(jobTimeout))
	}
	consider(DueRefresh, c.NextRefreshAt())
	return first, at
}

// NextRefreshAt returns the time of the next automatic refresh; zero if there is none, or a
// sync is outstanding. It follows the last sync, so refreshes spread over the day as the
// creation of connections did. If the day's limit is used up, it is in the following night,
// at a different time for each connection.
func (c Connection) NextRefreshAt() time.Time {
	if !c.IsActive() || !c.AutomaticFetch || !c.SyncRequestedAt.IsZero() || c.SyncEndedAt.IsZero() {
		return time.Time{}
	}
	at := c.SyncEndedAt.Add(max(refreshInterval, c.refreshTimeout()))
	if day := pfm.DateOf(at); c.Unattended.isFull(day) {
		return day.AddDays(1).Time().Add(c.spread(refreshInterval))
	}
	return at
}

// spread returns a part of d that is always the same for one connection.
func (c Connection) spread(d time.Duration) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.ID))
	return (d * time.Duration(h.Sum32()>>16) >> 16).Truncate(time.Second)
}

// LinkLifetime is how long a user has to open the link and finish at the bank.
const LinkLifetime = 30 * time.Minute

// At returns the state of the connection at a given time. A link or consent whose time
// is up counts as expired even before housekeeping has stored that.
func (c Connection) At(now time.Time) Connection {
	if c.Status == Pending && c.Authorisation != nil && !now.Before(c.Authorisation.ExpiresAt) {
		c.fail(ReasonLinkExpired, c.Authorisation.ExpiresAt)
	}
	if c.IsActive() && !c.ConsentExpiresAt.IsZero() && !now.Before(c.ConsentExpiresAt) {
		c.transition(Expired, ReasonConsentExpired, c.ConsentExpiresAt)
	}
	return c
}

// expiry returns when a consent authorised at the given time stops being valid. The day on
// which it was authorised counts. A bank may send a distant day (9999-12-31), or none; the
// provider's maximum applies anyway.
func expiry(c pfm.Consent, authorised time.Time, maxDays int) time.Time {
	lastDay := pfm.DateOf(authorised).AddDays(maxDays - 1)
	if c.ValidUntil != "" {
		lastDay = min(lastDay, c.ValidUntil)
	}
	return lastDay.AddDays(1).Time()
}

// ending is the status of a connection whose bank refuses to be read, with its reason. If
// the consent has ended, it has the time as well. An empty status means that the status
// stays.
type ending struct {
	status Status
	reason StatusReason
	at     time.Time
}

// end applies e.
func (c *Connection) end(e ending, now time.Time) {
	if !e.at.IsZero() && c.Status.mayBecome(e.status) && e.at.Before(c.ConsentExpiresAt) {
		c.ConsentExpiresAt = e.at
	}
	c.transition(e.status, e.reason, now)
}

// endOf returns how the consent of c ended, and false if it has not.
func (c Connection) endOf(consent pfm.Consent, now time.Time) (ending, bool) {
	e := ending{Expired, ReasonConsentExpired, c.endedAt(consent, now)}
	switch consent.State {
	case pfm.ConsentValid, pfm.ConsentReceived, pfm.ConsentPartiallyAuthorised:
		return ending{}, false
	case pfm.ConsentRevokedByPSU, pfm.ConsentRejected:
		e.status, e.reason = Revoked, ReasonConsentRevoked
	case pfm.ConsentTerminatedByTPP:
		// We did not end it, so the bank did, because of a newer consent of the user.
		e.reason = ReasonConsentReplaced
	case pfm.ConsentExpired:
		// The consent ended early: it should still be valid according to the bank, whose last day
		// ends before ours.
		there := now.Add(transaction.LatestHours * time.Hour)
		if there.Before(c.ConsentExpiresAt) && (consent.ValidUntil == "" || consent.ValidUntil >= pfm.DateOf(there)) {
			e.reason = ReasonConsentReplaced
		}
	}
	return e, true
}

// endedAt returns when a consent that has ended did so, as far as the bank says: after its
// last day, or on the day of the last action.
func (c Connection) endedAt(consent pfm.Consent, now time.Time) time.Time {
	end := now
	if consent.ValidUntil != "" && consent.ValidUntil < pfm.DateOf(now) {
		end = consent.ValidUntil.AddDays(1).Time()
	} else if consent.LastAction != "" {
		end = consent.LastAction.AddDays(1).Time()
		if end.Before(c.LastSuccessAt) { // it still held then
			return now
		}
	}
	if end.After(now) {
		return now
	}
	return end
}

// notices returns the days before a consent's expiry on which partners are notified,
// the earliest first.
func notices() []int { return []int{7, 1} }

// noticeAt returns the time of the notice that many days before expiry.
func (c Connection) noticeAt(days int) time.Time { return c.ConsentExpiresAt.AddDate(0, 0, -days) }

// NextNoticeAt returns when partners are next told that the consent will expire, or zero after
// the last time.
func (c Connection) NextNoticeAt() time.Time {
	for _, days := range notices() {
		if c.LastNotice == 0 || days < c.LastNotice {
			return c.noticeAt(days)
		}
	}
	return time.Time{}
}

// markNotices marks the notices whose time has come as sent, and reports whether there
// were any.
func (c *Connection) markNotices(now time.Time) bool {
	marked := false
	for _, days := range notices() {
		if (c.LastNotice == 0 || days < c.LastNotice) && !now.Before(c.noticeAt(days)) {
			c.LastNotice, marked = days, true
		}
	}
	return marked
}
