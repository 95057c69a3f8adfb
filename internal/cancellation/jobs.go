package cancellation

import (
	"context"
	"fmt"

	"aviso/internal/owner"
)

// Jobs does what messages to letter-dispatch ask for.
type Jobs struct {
	dispatcher *Dispatcher
	erasure    *CarrierErasure
}

// NewJobs wires the service.
func NewJobs(dispatcher *Dispatcher, erasure *CarrierErasure) *Jobs {
	return &Jobs{dispatcher: dispatcher, erasure: erasure}
}

// Do does one job; attempt counts the deliveries of its message, from 1.
func (j *Jobs) Do(ctx context.Context, job Job, attempt int) error {
	user := owner.User{Partner: job.Partner, ID: job.User}
	switch job.Kind {
	case JobSend:
		return j.dispatcher.Send(ctx, user, job.CancellationID)
	case JobErase:
		return j.erasure.Erase(ctx, user, job.CancellationID, attempt)
	default:
		return fmt.Errorf("job of the unknown kind %q", job.Kind)
	}
}
