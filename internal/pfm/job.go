package pfm

import (
	"context"
	"fmt"

	"aviso/internal/owner"
)

// JobAction is what a job asks bank-sync to do.
type JobAction string

// What a job may ask for.
const (
	// JobSync reads a connection from its bank.
	JobSync JobAction = ""
	// JobDelete ends a connection's consent and deletes all that is kept of it.
	JobDelete JobAction = "Delete"
	// JobEndConsent ends a consent that no connection needs any more.
	JobEndConsent JobAction = "EndConsent"
)

// SyncJob is work on one connection that needs its bank.
type SyncJob struct {
	Action       JobAction       `json:"action,omitempty"`
	Partner      owner.PartnerID `json:"partner"`
	User         owner.UserID    `json:"user"`
	ConnectionID string          `json:"connectionId"`
	// PSUIPAddress is set while the user is present.
	PSUIPAddress string `json:"psuIpAddress,omitempty"`
	// ProviderID and ConsentID say which consent is to be ended. The connection
	// need not know of it any more, nor be there.
	ProviderID string `json:"providerId,omitempty"`
	ConsentID  string `json:"consentId,omitempty"`
}

// Owner is whose connection it is.
func (j SyncJob) Owner() owner.User { return owner.User{Partner: j.Partner, ID: j.User} }

// job is work on the connection.
func (c Connection) job(action JobAction) SyncJob {
	return SyncJob{Action: action, Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID}
}

// endConsents are the jobs that end those consents that c knows and next, which
// replaces it, does not. A consent that lies unused at the bank could be
// authorised late, and would end the one in use.
func (c Connection) endConsents(next Connection) []SyncJob {
	kept := next.consents()
	var jobs []SyncJob
	for id := range c.consents() {
		if !kept[id] {
			j := c.job(JobEndConsent)
			j.ProviderID, j.ConsentID = c.ProviderID, id
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// consents are those in force or on their way.
func (c Connection) consents() map[string]bool {
	ids := map[string]bool{}
	if c.ConsentID != "" {
		ids[c.ConsentID] = true
	}
	if c.Authorisation != nil && c.Authorisation.ConsentID != "" {
		ids[c.Authorisation.ConsentID] = true
	}
	return ids
}

// Jobs does what jobs ask for.
type Jobs struct {
	syncer  *Syncer
	deleter *Deleter
}

// NewJobs wires the service.
func NewJobs(syncer *Syncer, deleter *Deleter) *Jobs {
	return &Jobs{syncer: syncer, deleter: deleter}
}

// Do does a job. Doing it twice, or two at the same time, is harmless. attempt
// counts from 1. *outcome.Later asks for another.
func (s *Jobs) Do(ctx context.Context, job SyncJob, attempt int) error {
	switch job.Action {
	case JobSync:
		return s.syncer.Sync(ctx, job, attempt)
	case JobDelete:
		return s.deleter.Delete(ctx, job, attempt)
	case JobEndConsent:
		return s.deleter.EndConsent(ctx, job, attempt)
	default:
		return fmt.Errorf("job: no action of the name %q", job.Action)
	}
}
