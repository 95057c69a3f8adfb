package pfm

import (
	"hash/fnv"
	"time"
)

// DueKind sorts what housekeeping has to do with a connection.
type DueKind string

// What may fall due.
const (
	// DueLink: the way to the bank runs out.
	DueLink DueKind = "Link"
	// DueSync: a sync was asked for, and nothing has been heard of it.
	DueSync DueKind = "Sync"
	// DueNotice: partners are to be told that the consent will run out.
	DueNotice DueKind = "Notice"
	// DueConsent: the consent runs out.
	DueConsent DueKind = "Consent"
	// DueRefresh: the bank is to be read again, without anybody asking.
	DueRefresh DueKind = "Refresh"
	// DueDelete: a deletion was begun, and nothing has been heard of it.
	DueDelete DueKind = "Delete"
)

// dueKinds are all of them, in the order in which housekeeping takes them up.
func dueKinds() []DueKind {
	return []DueKind{DueDelete, DueLink, DueConsent, DueNotice, DueSync, DueRefresh}
}

const (
	// jobPatience is how long a job may take with all its retries, before it
	// counts as lost.
	jobPatience = 2 * time.Hour
	// refreshGap is between two automatic refreshes: four a day.
	refreshGap = 6 * time.Hour
	// maxUnattended is how often banks let an account be read on one day without
	// the user (RTS, article 36(5)(b)).
	maxUnattended = 4
)

// Unattended counts the reads of a connection's accounts without the user, on
// one day in UTC.
type Unattended struct {
	Day   Date
	Count int
}

// isFull tells whether no more such reads may be asked for on that day.
func (u Unattended) isFull(day Date) bool { return u.Day == day && u.Count >= maxUnattended }

// takeUnattended counts one more read without the user; false when the day has
// seen all that are allowed.
func (c *Connection) takeUnattended(at time.Time) bool {
	day := DateOf(at)
	if c.Unattended.isFull(day) {
		return false
	}
	if c.Unattended.Day != day {
		c.Unattended = Unattended{Day: day}
	}
	c.Unattended.Count++
	return true
}

// Due is what housekeeping has to do with the connection first, and when; an
// empty kind for nothing.
func (c Connection) Due() (DueKind, time.Time) {
	if c.Status == ConnectionDeleting {
		return DueDelete, c.UpdatedAt.Add(jobPatience)
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
		consider(DueNotice, c.nextNoticeAt())
		consider(DueConsent, c.ConsentExpiresAt)
	}
	switch {
	case !c.SyncRequestedAt.IsZero():
		consider(DueSync, c.SyncRequestedAt.Add(jobPatience))
	case c.IsActive() && c.AutomaticFetch:
		consider(DueRefresh, c.automaticRefreshAt())
	}
	return first, at
}

// automaticRefreshAt follows the last sync, so that refreshes are as spread over
// the day as connections were made. On a day that has seen all reads that are
// allowed, it is some time in the night after, another for each connection.
func (c Connection) automaticRefreshAt() time.Time {
	if c.SyncEndedAt.IsZero() {
		return time.Time{}
	}
	at := c.SyncEndedAt.Add(max(refreshGap, c.refreshTimeout()))
	if day := DateOf(at); c.Unattended.isFull(day) {
		return day.AddDays(1).Time().Add(c.spread(refreshGap))
	}
	return at
}

// spread is a part of d that is always the same for one connection.
func (c Connection) spread(d time.Duration) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.ID))
	return (d * time.Duration(h.Sum32()>>16) >> 16).Truncate(time.Second)
}
