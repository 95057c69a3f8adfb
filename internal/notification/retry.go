package notification

import (
	"errors"
	"strings"
	"time"
)

// RetryDelays are the waits after the first and second failed attempt, as the interface promises. Test stacks may use
// shorter ones.
const RetryDelays = "15m,60m"

// ParseRetryDelays parses a list of waits such as RetryDelays.
func ParseRetryDelays(text string) ([]time.Duration, error) {
	var delays []time.Duration
	for part := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || d <= 0 {
			return nil, errors.New("RETRY_DELAYS is not a list of durations such as " + RetryDelays)
		}
		delays = append(delays, d)
	}
	return delays, nil
}
