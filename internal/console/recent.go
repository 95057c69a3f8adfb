package console

import (
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/notification"
)

const (
	// recentAttempts are read for a subscription's page, and fewFor each row of the list.
	recentAttempts, fewForList = 200, 20
	// mostSent is the maximum number of waiting attempts that one click makes.
	mostSent = 200
)

// lastAcknowledged returns when the last acknowledged attempt began, as the list of attempts says. Without such an
// attempt among the newest, it is the subscription's time, which may be a few minutes old: acknowledgements do not all
// write to one row.
func lastAcknowledged(sub notification.Subscription, recent []notification.Attempt) time.Time {
	for _, a := range recent {
		if a.Outcome == notification.OutcomeAcknowledged {
			return a.StartedAt.Time()
		}
	}
	return sub.AcknowledgedAt.Time()
}

// recentFacts says how the newest attempts went.
func recentFacts(recent []notification.Attempt, now time.Time) Facts {
	if len(recent) == 0 {
		return nil
	}
	times := make([]time.Duration, len(recent))
	for i, a := range recent {
		times[i] = a.Took()
	}
	slices.Sort(times)
	facts := Facts{{"Answers within", fmt.Sprintf("%s (half of them), %s (95 %%), of the last %s",
		took(times[(len(times)-1)/2]), took(times[(len(times)-1)*95/100]), counted(len(recent), "attempt"))}}
	for _, span := range []struct {
		name string
		of   time.Duration
	}{{"Last 15 minutes", 15 * time.Minute}, {"Last hour", time.Hour}} {
		made, failed := 0, 0
		for _, a := range recent {
			if now.Sub(a.StartedAt.Time()) > span.of {
				break
			}
			made++
			if a.Outcome != notification.OutcomeAcknowledged {
				failed++
			}
		}
		text := fmt.Sprintf("%s, %s failed", counted(made, "attempt"), grouped(failed))
		if made == recentAttempts {
			text = "More than " + text
		}
		facts = append(facts, Fact{span.name, text})
	}
	return facts
}

// waiting returns the attempts whose event waits for a further one, newest first, among attempts that are newest first.
func waiting(recent []notification.Attempt, now time.Time) (found []notification.Attempt) {
	seen := map[string]bool{}
	for _, a := range recent {
		if !seen[a.EventID] && a.NextAttemptAt.Time().After(now) {
			found = append(found, a)
		}
		seen[a.EventID] = true
	}
	return found
}

// sendWaitingForm returns the form that makes all waiting attempts at once; nil if there are none, or nobody takes
// them.
func sendWaitingForm(call *Call, sub notification.Subscription, recent []notification.Attempt) *Form {
	n := len(waiting(recent, call.Now))
	if n == 0 || sub.Status != notification.SubscriptionActive || call.Session.Role < Developer {
		return nil
	}
	form := formOf("sendWaiting", webhooksPath+"/"+sub.ID+"/send-waiting", nil)
	form.Confirm = fmt.Sprintf(form.Confirm, countOf(n, "event waits", "events wait"))
	return form
}

// sendWaiting makes the waiting attempts of a subscription due. Acknowledged events are not sent again.
func (c *Console) sendWaiting(call *Call, sub notification.Subscription) (Answer, error) {
	var all []notification.Attempt
	_, _, err := newestFitting(c.attemptsOf(call, sub), call.Now.Add(-longestWait), "", mostSent, func(a notification.Attempt) bool {
		all = append(all, a)
		return false
	})
	if err != nil {
		return nil, err
	}
	found := waiting(all, call.Now)
	slices.Reverse(found) // the oldest has waited longest
	sent, err := ofEach(found[:min(len(found), mostSent)], func(a notification.Attempt) (int, error) {
		err := c.Webhooks.Deliveries.RetryNow(call.Context(), call.Partner(), sub.ID, a.EventID)
		if apierror.Is(err, apierror.Conflict) || apierror.Is(err, apierror.NotFound) {
			return 0, nil // it has just begun or ended, or was erased
		}
		return 1, err
	})
	if err != nil {
		return nil, err
	}
	total := 0
	for _, n := range sent {
		total += n
	}
	done := countOf(total, "waiting event is", "waiting events are") + " being sent."
	if len(found) > mostSent {
		done += " More are waiting: send again."
	}
	call.Note(fmt.Sprintf("%s %d", sub.ID, total))
	return Redirect{To: webhooksPath + "/" + sub.ID, Done: done}, nil
}
