package cancellation

import (
	"context"
	"fmt"
)

// Jobs runs the jobs that letter-dispatch receives as messages.
type Jobs struct {
	dispatcher *Dispatcher
	erasure    *CarrierErasure
	feedback   *Feedback
}

// NewJobs returns the service.
func NewJobs(dispatcher *Dispatcher, erasure *CarrierErasure, feedback *Feedback) *Jobs {
	return &Jobs{dispatcher: dispatcher, erasure: erasure, feedback: feedback}
}

// Do runs one job. attempt counts the deliveries of its message from 1.
func (j *Jobs) Do(ctx context.Context, job Job, attempt int) error {
	user := job.Owner()
	switch job.Kind {
	case JobSend:
		return j.dispatcher.Send(ctx, user, job.CancellationID)
	case JobErase:
		return j.erasure.Erase(ctx, user, job.CancellationID, attempt)
	case JobOutcome:
		return j.feedback.ReportOutcome(ctx, user, job.CancellationID, job.Outcome)
	default:
		return fmt.Errorf("unknown kind of job: %q", job.Kind)
	}
}
