package connection

import (
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

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
