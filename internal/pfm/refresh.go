package pfm

import (
	"context"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/owner"
)

// Refresh asks for the connection to be read from its bank now. psuIP is the
// user's address where the user is present; empty otherwise, and banks allow
// only so many of those a day.
func (s *Connections) Refresh(ctx context.Context, user owner.User, id, psuIP string) (Connection, error) {
	return s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		now := clock.Read(s.now)
		*c = c.At(now)
		if err := c.askForSync(now, psuIP != ""); err != nil {
			return nil, err
		}
		job := c.job(JobSync)
		job.PSUIPAddress = psuIP
		return []SyncJob{job}, nil
	})
}

// askForSync notes that a sync is to come, or refuses.
func (c *Connection) askForSync(now time.Time, attended bool) error {
	switch {
	case !c.IsActive():
		return apierror.New(apierror.ConnectionNotActive, "Only an active connection can be refreshed; see its connectionStatus and statusReason.")
	case !c.SyncRequestedAt.IsZero():
		return apierror.New(apierror.RefreshInProgress, "The connection is being read from its bank.")
	case now.Before(c.NextRefreshPossibleAt()):
		return tooEarly(now, c.NextRefreshPossibleAt(), "The bank's refreshTimeoutMinutes since the last success are not over.")
	case !attended && !c.takeUnattended(now):
		return tooEarly(now, DateOf(now).AddDays(1).Time(), "The bank has been read four times today without the user; send X-Psu-Ip-Address while the user is present.")
	}
	c.SyncRequestedAt, c.UpdatedAt = now, now
	return nil
}

func tooEarly(now, next time.Time, detail string) error {
	return &apierror.Error{Code: apierror.RefreshTooEarly, Detail: detail, NextRefreshPossibleAt: next, RetryAfter: next.Sub(now)}
}
