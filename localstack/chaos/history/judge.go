package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Finding is a promise that was broken.
type Finding struct {
	// Rule is the name of the promise.
	Rule Rule
	// Text says what has happened, with the IDs to search for.
	Text string
	// Passing is true if more time may mend it: a letter that has not left yet.
	Passing bool
	// User is whose objects to look at again then, if that is known.
	User string
}

// Rule names a promise.
type Rule string

// The rules.
const (
	OneCancellation  Rule = "one cancellation for each intent"
	OneLetter        Rule = "no letter twice"
	NoLetterLost     Rule = "no letter lost"
	WithdrawnStays   Rule = "a withdrawn letter stays"
	ErasedStays      Rule = "no letter leaves after its user was erased"
	ErasureEnds      Rule = "every erasure completes"
	ErasedGone       Rule = "nothing names an erased user"
	EventDelivered   Rule = "every event is acknowledged or exhausted"
	AttemptsCounted  Rule = "no attempt number twice"
	AttemptsOnTime   Rule = "attempts on schedule"
	CallbacksGenuine Rule = "callbacks are signed"
	OneObject        Rule = "one object for each key"
	SumsAgree        Rule = "sums equal transactions"
	LimitsHold       Rule = "limits hold"
	OwnersApart      Rule = "nothing of one partner at another"
)

// Settings are what the judge has to know of the run.
type Settings struct {
	// RetryDelays are the waits before the second and the third attempt.
	RetryDelays []time.Duration
	// ErasureGrace is how long a letter may still leave that was being handed over when
	// the erasure was accepted.
	ErasureGrace time.Duration
	// KeySearch limits the time for each key's search for an order of its calls.
	KeySearch time.Duration
}

// Judge returns everything in the history that breaks a promise.
func Judge(h History, s Settings) []Finding {
	j := &judge{History: h, Settings: s}
	j.index()
	for _, rule := range []func(){
		j.letters, j.erasures, j.deliveries, j.attempts, j.callbacks, j.keys, j.sums, j.counts, j.strays,
	} {
		rule()
	}
	slices.SortStableFunc(j.findings, func(a, b Finding) int { return cmp.Compare(a.Rule, b.Rule) })
	return j.findings
}

type judge struct {
	History
	Settings
	findings []Finding

	partnerOf map[string]string  // by user
	erased    map[string]Erasure // by user
	withdrawn map[string]Withdrawal
	letterOf  map[string][]Letter // by cancellation
}

func (j *judge) index() {
	j.partnerOf, j.erased = map[string]string{}, map[string]Erasure{}
	j.withdrawn, j.letterOf = map[string]Withdrawal{}, map[string][]Letter{}
	for _, u := range j.Users {
		j.partnerOf[u.ID] = u.Partner
	}
	for _, e := range j.Erasures {
		if known, ok := j.erased[e.User]; ok {
			e.Ended = min(e.Ended, known.Ended)
		}
		j.erased[e.User] = e
	}
	for _, w := range j.Withdrawals {
		if known, ok := j.withdrawn[w.Cancellation]; !ok || w.Ended < known.Ended {
			j.withdrawn[w.Cancellation] = w
		}
	}
	for _, l := range j.Letters {
		if !slices.ContainsFunc(j.letterOf[l.Cancellation], func(known Letter) bool {
			return known.Channel == l.Channel && known.Carrier == l.Carrier
		}) {
			j.letterOf[l.Cancellation] = append(j.letterOf[l.Cancellation], l)
		}
	}
}

func (j *judge) find(rule Rule, format string, args ...any) {
	j.findings = append(j.findings, Finding{Rule: rule, Text: fmt.Sprintf(format, args...)})
}

// await finds something that more time may mend.
func (j *judge) await(rule Rule, user, format string, args ...any) {
	j.findings = append(j.findings, Finding{Rule: rule, Text: fmt.Sprintf(format, args...), Passing: true, User: user})
}

func (j *judge) sums() {
	for _, s := range j.Sums {
		if s.Listed != s.Insight {
			j.await(SumsAgree, s.User, "user %s, %s: the transactions are %s, the insight says %s", s.User, s.Of, s.Listed, s.Insight)
		}
	}
}

func (j *judge) counts() {
	for _, c := range j.Counts {
		if c.N < c.Least || c.N > c.Limit {
			j.findings = append(j.findings, Finding{
				Rule: LimitsHold, Passing: c.Passing,
				Text: fmt.Sprintf("%s of %s: %d; want %d to %d", c.What, c.Owner, c.N, c.Least, c.Limit),
			})
		}
	}
}

func (j *judge) strays() {
	for _, s := range j.Strays {
		j.findings = append(j.findings, Finding{Rule: ErasedGone, Text: s.What + " is in " + s.Where, Passing: s.Passing})
	}
	for _, s := range j.Leaks {
		j.find(OwnersApart, "%s is in %s", s.What, s.Where)
	}
}

func (j *judge) erasures() {
	for _, e := range j.erased {
		if !e.Complete {
			j.await(ErasureEnds, e.User, "the erasure %s of user %s is not complete", e.ID, e.User)
		}
	}
}
