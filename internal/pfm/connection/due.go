package connection

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/messaging/overdue"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
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
	// DueConsent: the consent has expired, or it is time to delete what was read with one that ended.
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
	// holdSync and holdRefresh are how long a requested sync and an automatic refresh wait before somebody
	// looks again whether the partner is still disabled. Few syncs are requested in the minute before.
	holdSync, holdRefresh = 5 * time.Minute, time.Hour
	// refreshInterval is the time between automatic refreshes: four a day.
	refreshInterval = 6 * time.Hour
	// maxUnattended is how often we may read an account without the user in any 24 hours, wherever a day begins
	// (Delegated Regulation (EU) 2018/389, article 36(5)(b)).
	maxUnattended = 4
)

// nextUnattended returns when the accounts may be read next without the user: at once, if that is zero.
func (c Connection) nextUnattended() time.Time {
	if len(c.Unattended) < maxUnattended {
		return time.Time{}
	}
	return c.Unattended[0].Add(24 * time.Hour)
}

// countUnattended counts one more read without the user. It returns false, and counts
// nothing, if there were enough in the last 24 hours.
func (c *Connection) countUnattended(at time.Time) bool {
	if at.Before(c.nextUnattended()) {
		return false
	}
	reads := append(slices.Clone(c.Unattended), at)
	c.Unattended = reads[max(0, len(reads)-maxUnattended):]
	return true
}

// moveUnattended moves the last read that was counted to the time at which the bank was really read.
func (c *Connection) moveUnattended(at time.Time) {
	c.uncount()
	c.Unattended = append(c.Unattended, at)
}

// uncount takes back countUnattended.
func (c *Connection) uncount() {
	c.Unattended = slices.Clone(c.Unattended[:max(0, len(c.Unattended)-1)])
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
	if c.hasEnded() {
		consider(DueConsent, c.nextRetention())
	}
	if c.IsActive() && !c.ConsentExpiresAt.IsZero() {
		consider(DueNotice, c.NextNoticeAt())
		consider(DueConsent, c.ConsentExpiresAt)
	}
	switch {
	case c.isHeld():
		consider(DueSync, c.HeldAt.Add(holdSync))
	case !c.SyncRequestedAt.IsZero():
		consider(DueSync, c.SyncRequestedAt.Add(jobTimeout))
	}
	consider(DueRefresh, c.NextRefreshAt())
	return first, at
}

const (
	// MinRetention is how many days the data of an ended connection is kept at least.
	MinRetention = 45
	// DefaultRetention is how many days it is kept without a parameter.
	DefaultRetention = 90
	// retentionNotice is how many days before the deletion partners are told.
	retentionNotice = 14
)

// hasEnded reports whether nothing can be read with the connection until the user reconnects it.
func (c Connection) hasEnded() bool {
	return c.Status == Failed || c.Status == Expired || c.Status == Revoked
}

// nextRetention returns when housekeeping next looks at what to delete of an ended connection.
func (c Connection) nextRetention() time.Time {
	switch notice := c.DataExpiresAt.AddDate(0, 0, -retentionNotice); {
	case c.DataExpiresAt.IsZero():
		return c.UpdatedAt.AddDate(0, 0, MinRetention-retentionNotice-1)
	case !c.DataNoticed:
		return notice
	default:
		return c.DataExpiresAt
	}
}

// retain does what is due on an ended connection, whose data is kept for that many days: it sets the day of the
// deletion, tells partners before, and then deletes the connection with all of its data.
func (c *Connection) retain(days int, now time.Time) []SyncJob {
	switch {
	case c.DataExpiresAt.IsZero():
		c.DataExpiresAt = c.UpdatedAt.AddDate(0, 0, days)
	case !c.DataNoticed:
		// If the notice is late, the deletion is, too.
		if earliest := now.AddDate(0, 0, retentionNotice); c.DataExpiresAt.Before(earliest) {
			c.DataExpiresAt = earliest
		}
		if c.DataNoticed = true; !c.LastSuccessAt.IsZero() {
			c.addEvent(EventDataExpiring, now)
		}
	default:
		c.transition(Deleting, ReasonNone, now)
		return []SyncJob{c.job(JobDelete)}
	}
	return nil
}

// isHeld reports whether the outstanding sync waits until the partner is enabled.
func (c Connection) isHeld() bool {
	return !c.SyncRequestedAt.IsZero() && !c.HeldAt.Before(c.SyncRequestedAt)
}

// NextRefreshAt returns the time of the next automatic refresh; zero if there is none, or a
// sync is outstanding. It follows the last sync, so refreshes spread over the day as the
// creation of connections did.
func (c Connection) NextRefreshAt() time.Time {
	if !c.IsActive() || !c.AutomaticFetch || !c.SyncRequestedAt.IsZero() || c.SyncEndedAt.IsZero() {
		return time.Time{}
	}
	at := c.SyncEndedAt.Add(max(refreshInterval, c.refreshTimeout()))
	if looksAgain := c.HeldAt.Add(holdRefresh); looksAgain.After(at) {
		at = looksAgain
	}
	if free := c.nextUnattended(); free.After(at) {
		return free
	}
	return at
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

// HousekeepingStore finds what is due.
type HousekeepingStore interface {
	// DueShards is how many shards users are spread over.
	DueShards() int
	// DueWatches iterates over the watches in a shard that are due, the longest overdue
	// first. An error concerns one watch that cannot be read, or it comes last.
	DueWatches(ctx context.Context, shard int, until time.Time) iter.Seq2[contract.Watch, error]
	// WakeWatch replaces the version that w was read as, and writes the job with it.
	WakeWatch(ctx context.Context, w contract.Watch, job SyncJob) error
	// DueConnections iterates over the connections in a shard on which work of this kind
	// is due, the longest overdue first. Errors are as those of DueWatches.
	DueConnections(ctx context.Context, kind DueKind, shard int, until time.Time) iter.Seq2[Connection, error]
	SaveConnection(ctx context.Context, c Connection, also idempotency.Effect[Connection], jobs ...SyncJob) error
}

// dueAtOnce is how many connections of a kind and shard are handled at once.
const dueAtOnce = 4

// NewHousekeeping returns what closes expired links and consents, notifies partners before a
// consent expires, deletes connections that ended retention days ago, starts automatic refreshes, repeats lost jobs,
// and wakes watches.
func NewHousekeeping(store HousekeepingStore, retention int, now func() time.Time) *overdue.Housekeeping {
	steps := []overdue.Step{overdue.Work[contract.Watch]{
		Kind: string(JobWatch), AtOnce: dueAtOnce, Due: store.DueWatches,
		Owner: func(w contract.Watch) owner.User { return w.Owner },
		At:    func(w contract.Watch) time.Time { return w.DueAt },
		// Bank-sync gets a job for the watch. If it is lost, there is another one after jobTimeout.
		Do: func(ctx context.Context, w contract.Watch) error {
			w.DueAt = clock.Now(ctx, now).Add(jobTimeout)
			job := SyncJob{Action: JobWatch, Partner: w.Owner.Partner, User: w.Owner.ID}
			if err := store.WakeWatch(ctx, w, job); err != nil {
				return fmt.Errorf("wake watch %s: %w", w.CancellationID, err)
			}
			return nil
		},
	}}
	do := func(ctx context.Context, c Connection) error {
		jobs, isChanged := c.doDue(retention, clock.Now(ctx, now))
		if !isChanged {
			return nil
		}
		if err := store.SaveConnection(ctx, c, nil, jobs...); err != nil {
			return fmt.Errorf("handle connection %s: %w", c.ID, err)
		}
		return nil
	}
	for _, kind := range dueKinds() {
		steps = append(steps, overdue.Work[Connection]{
			Kind: string(kind), Repair: kind.isLostJob(), AtOnce: dueAtOnce,
			Due: func(ctx context.Context, shard int, now time.Time) iter.Seq2[Connection, error] {
				return store.DueConnections(ctx, kind, shard, now)
			},
			Owner: func(c Connection) owner.User { return c.Owner },
			At: func(c Connection) time.Time {
				_, at := c.Due()
				return at
			},
			IsLost: func(c Connection) bool {
				kind, _ := c.Due()
				return kind.isLostJob() && !c.isHeld()
			},
			Do: do,
			// Banks are not read. All else goes on, above all what ends consents and deletes data.
			Wait: func(ctx context.Context, c Connection) error {
				if kind, _ := c.Due(); kind != DueSync && kind != DueRefresh {
					return do(ctx, c)
				}
				c.HeldAt = clock.Now(ctx, now)
				if err := store.SaveConnection(ctx, c, nil); err != nil {
					return fmt.Errorf("hold connection %s: %w", c.ID, err)
				}
				return nil
			},
		})
	}
	return overdue.New(store.DueShards, now, steps...)
}

// doDue does what is due, and reports whether that changes the connection. The index that
// found the connection may be out of date, so the connection itself decides what is due.
func (c *Connection) doDue(retention int, now time.Time) (jobs []SyncJob, isChanged bool) {
	kind, _ := c.Due()
	switch old := *c; kind {
	case DueLink:
		c.fail(ReasonLinkExpired, now)
		jobs = old.endConsents(*c)
	case DueNotice, DueConsent:
		if c.hasEnded() {
			return c.retain(retention, now), true
		}
		// If several are overdue, partners get the latest only.
		if *c = c.At(now); c.IsActive() && c.markNotices(now) {
			c.addEvent(EventExpiring, now)
		}
	case DueSync:
		if !c.IsActive() {
			c.SyncRequestedAt = time.Time{}
			break
		}
		if !c.isHeld() {
			c.Reason = cmp.Or(c.Reason, ReasonInternalError)
			c.setSyncFailing(true, now)
		}
		c.SyncRequestedAt = now
		jobs = c.repeatSync(now)
	case DueRefresh:
		if !c.countUnattended(now) {
			return nil, false
		}
		c.SyncRequestedAt, c.UpdatedAt = now, now
		jobs = append(jobs, c.job(JobSync))
	case DueDelete:
		c.UpdatedAt = now
		jobs = append(jobs, c.job(JobDelete))
	}
	return jobs, true
}

// repeatSync returns a job for the outstanding sync, or ends it if the limit is used up.
func (c *Connection) repeatSync(now time.Time) []SyncJob {
	if !c.countUnattended(now) {
		c.SyncRequestedAt, c.SyncEndedAt = time.Time{}, now
		return nil
	}
	return []SyncJob{c.job(JobSync)}
}
