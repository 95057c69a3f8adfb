package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter is the wait that a Retry-After header asks for (RFC 9110, section
// 10.2.3: whole seconds, or a date), from 0 to longest. What cannot be read asks
// for nothing.
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
