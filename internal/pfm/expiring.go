package pfm

import "time"

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
