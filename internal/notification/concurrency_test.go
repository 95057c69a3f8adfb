package notification

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestAdaptedLimit(t *testing.T) {
	acknowledged := func(after time.Duration) Result {
		return Result{Outcome: OutcomeAcknowledged, Milliseconds: after.Milliseconds()}
	}
	for _, test := range []struct {
		name      string
		now, most int
		busy      bool
		result    Result
		want      int
	}{
		{"grow by one while there are few", 4, 125, true, acknowledged(time.Second), 5},
		{"grow by an eighth", 80, 125, true, acknowledged(time.Second), 91},
		{"grow to the maximum", 120, 125, true, acknowledged(time.Second), 125},
		{"do not grow while most are free", 80, 125, false, acknowledged(time.Second), 80},
		{"do not grow if the answer takes its time", 80, 125, true, acknowledged(3 * time.Second), 80},
		{"a slow answer takes added ones away", 80, 125, true, acknowledged(11 * time.Second), 40},
		{"but not those of the beginning", 5, 125, true, acknowledged(59 * time.Second), 4},
		{"nor the last ones of a receiver that was overloaded", 2, 125, true, acknowledged(59 * time.Second), 2},
		{"a time-out halves them", 80, 125, true, Result{Outcome: OutcomeTimeout}, 40},
		{"down to one", 1, 125, true, Result{Outcome: OutcomeTimeout}, 1},
		{"a connection that is refused halves them", 4, 125, false, Result{Outcome: OutcomeConnectionError}, 2},
		{"too many requests", 4, 125, false, Result{Outcome: OutcomeHTTPError, HTTPStatus: 429}, 2},
		{"unavailable", 4, 125, false, Result{Outcome: OutcomeHTTPError, HTTPStatus: 503}, 2},
		{"an error of the receiver does not matter", 80, 125, true, Result{Outcome: OutcomeHTTPError, HTTPStatus: 500}, 80},
		{"nor does an event that it refuses", 80, 125, true, Result{Outcome: OutcomeNotAcknowledged}, 80},
	} {
		assert.Equal(t, test.want, adaptedLimit(test.now, test.most, test.busy, test.result), test.name)
	}
}

// anyResult is how a call may end.
func anyResult() *rapid.Generator[Result] {
	return rapid.Custom(func(t *rapid.T) Result {
		return Result{
			Outcome: rapid.SampledFrom([]Outcome{
				OutcomeAcknowledged, OutcomeAcknowledged, OutcomeAcknowledged, OutcomeTimeout, OutcomeHTTPError, OutcomeDNSError,
			}).Draw(t, "outcome"),
			HTTPStatus:   rapid.SampledFrom([]int{0, 404, 429, 500, 503}).Draw(t, "status"),
			Milliseconds: rapid.Int64Range(0, 60_000).Draw(t, "ms"),
		}
	})
}

func TestLimitStaysWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most, now := rapid.IntRange(InitialLimit, 1000).Draw(t, "most"), InitialLimit
		for range rapid.IntRange(0, 200).Draw(t, "calls") {
			next := adaptedLimit(now, most, rapid.Bool().Draw(t, "busy"), anyResult().Draw(t, "result"))
			if next < 1 || next > most {
				t.Fatalf("%d slots", next)
			}
			if next > now+1+now/8 || next < now/2 {
				t.Fatalf("from %d to %d slots at once", now, next)
			}
			now = next
		}
		for range 10 { // 2^10 is more than the most there can be
			now = adaptedLimit(now, most, true, Result{Outcome: OutcomeTimeout})
		}
		assert.Equal(t, 1, now, "a receiver that hangs")
		rounds := 0
		for ; now < most; rounds++ {
			now = adaptedLimit(now, most, true, Result{Outcome: OutcomeAcknowledged, Milliseconds: 1000})
		}
		assert.Less(t, rounds, 60, "a receiver that is well again")
	})
}

func TestInstantAnswersRaiseTheLimit(t *testing.T) {
	for slots, want := range map[int]int{0: fastLimit, 1: 2, 4: 8, 100: fastLimit, fastLimit: fastLimit, 500: 500} {
		got := Subscription{Limit: slots}.raisedLimit()
		assert.Equal(t, want, got, slots)
		assert.Equal(t, want >= fastLimit, Subscription{Limit: got}.isFast())
	}
}

func TestPartnersShareTheirCalls(t *testing.T) {
	d := &Deliverer{PartnerCalls: 125}
	assert.Equal(t, 125, d.maxLimit(Delivery{Peers: 1}))
	assert.Equal(t, 41, d.maxLimit(Delivery{Peers: 3}))
	assert.Equal(t, InitialLimit, d.maxLimit(Delivery{Peers: MaxSubscriptions}))
	assert.Equal(t, InitialLimit, (&Deliverer{}).maxLimit(Delivery{Peers: 1}))
}
