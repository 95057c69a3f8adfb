package pfm

import "time"

// LinkLife is how long a user has to open the link and to finish at the bank.
const LinkLife = 30 * time.Minute

// At is the connection as it stands at a moment: a link or a consent that has
// run out counts as such even before housekeeping has written that down.
func (c Connection) At(now time.Time) Connection {
	if c.Status == ConnectionPending && c.Authorisation != nil && !now.Before(c.Authorisation.ExpiresAt) {
		c.fail(ReasonLinkExpired, c.Authorisation.ExpiresAt)
	}
	if c.IsActive() && !c.ConsentExpiresAt.IsZero() && !now.Before(c.ConsentExpiresAt) {
		c.move(ConnectionExpired, ReasonConsentExpired, c.ConsentExpiresAt)
	}
	return c
}

// expiry returns when a consent that was authorised at a moment no longer holds. A
// bank may name a day far off (9999-12-31), or none; the law ends it anyway.
func (c Consent) expiry(authorised time.Time) time.Time {
	lastDay := DateOf(authorised).AddDays(MaxConsentDays)
	if c.ValidUntil != "" {
		lastDay = min(lastDay, c.ValidUntil)
	}
	return lastDay.AddDays(1).Time()
}

// notices are how many days before a consent ends partners are told, the
// earliest first.
func notices() []int { return []int{7, 1} }

// noticeAt is when the notice of so many days falls due.
func (c Connection) noticeAt(days int) time.Time { return c.ConsentExpiresAt.AddDate(0, 0, -days) }

// nextNoticeAt is when partners are to be told next that the consent ends; zero
// when they have been told for the last time.
func (c Connection) nextNoticeAt() time.Time {
	for _, days := range notices() {
		if c.LastNotice == 0 || days < c.LastNotice {
			return c.noticeAt(days)
		}
	}
	return time.Time{}
}

// passNotices notes the notices whose time has come, and tells whether there
// was any.
func (c *Connection) passNotices(now time.Time) bool {
	passed := false
	for _, days := range notices() {
		if (c.LastNotice == 0 || days < c.LastNotice) && !now.Before(c.noticeAt(days)) {
			c.LastNotice, passed = days, true
		}
	}
	return passed
}
