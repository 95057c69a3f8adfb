package connection

import (
	"hash/fnv"
	"time"

	"aviso/internal/pfm"
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
