package connection

import (
	"context"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
)

// Refresh requests a sync of the connection. The visitor has an address if the user is
// present. Otherwise the bank allows only a few such reads a day.
func (s *Connections) Refresh(ctx context.Context, user owner.User, id string, v Visitor) (Connection, error) {
	return s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		now := clock.Now(ctx, s.Now)
		*c = c.At(now)
		if err := c.requestSync(now, v.IPAddress != ""); err != nil {
			return nil, err
		}
		job := c.job(JobSync)
		if v.IPAddress != "" {
			job.PSUIPAddress, job.PSUHeaders = v.IPAddress, v.Headers
		}
		return []SyncJob{job}, nil
	})
}

// requestSync marks a sync as requested, or returns an error if none is allowed now.
func (c *Connection) requestSync(now time.Time, attended bool) error {
	switch {
	case !c.IsActive():
		return apierror.New(apierror.ConnectionNotActive,
			"Only an active connection can be refreshed. Check its connectionStatus and statusReason.")
	case !c.SyncRequestedAt.IsZero():
		return apierror.New(apierror.RefreshInProgress, "A refresh of this connection is already in progress.")
	case now.Before(c.NextRefreshPossibleAt()) && c.TestRows.From == "":
		return tooEarly(now, c.NextRefreshPossibleAt(),
			"The bank's refreshTimeoutMinutes have not passed since the last successful refresh.")
	case !attended && !c.countUnattended(now):
		return tooEarly(now, pfm.DateOf(now).AddDays(1).Time(),
			"We have already read the bank four times today without the user. "+
				"Send X-Psu-Ip-Address if the user is present, or try again tomorrow.")
	}
	c.SyncRequestedAt, c.UpdatedAt = now, now
	return nil
}

func tooEarly(now, next time.Time, detail string) error {
	return &apierror.Error{
		Code: apierror.RefreshTooEarly, Detail: detail, NextRefreshPossibleAt: next, RetryAfter: next.Sub(now),
	}
}
