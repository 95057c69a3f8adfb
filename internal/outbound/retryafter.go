package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter returns the wait that a Retry-After header asks for (RFC 9110, section
// 10.2.3: whole seconds, or a date), at most longest. It returns 0 if the header
// cannot be parsed.
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
