package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter returns the wait in a Retry-After header (RFC 9110, section 10.2.3: whole seconds, or a date), but at
// most longest. It returns 0 if it cannot parse the header.
func RetryAfter(header string, now time.Time, longest time.Duration) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(longest/time.Second))) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longest)
}
