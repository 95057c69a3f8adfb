package api

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"aviso/internal/api/apierror"
	"aviso/internal/owner"
)

// limiter has a token bucket for each partner. It is local to one function
// instance: with n instances, a partner gets up to n times the rate.
type limiter struct {
	perMinute int
	now       func() time.Time
	mu        sync.Mutex
	buckets   map[owner.PartnerID]*rate.Limiter
}

func newLimiter(perMinute int, now func() time.Time) *limiter {
	return &limiter{perMinute: perMinute, now: now, buckets: map[owner.PartnerID]*rate.Limiter{}}
}

// take counts one request of the partner, and sets the headers of the IETF draft
// ratelimit-headers.
func (l *limiter) take(p owner.PartnerID, h http.Header) error {
	perSecond := float64(l.perMinute) / 60
	l.mu.Lock()
	bucket, ok := l.buckets[p]
	if !ok {
		bucket = rate.NewLimiter(rate.Limit(perSecond), l.perMinute)
		l.buckets[p] = bucket
	}
	l.mu.Unlock()

	now := l.now()
	allowed := bucket.AllowN(now, 1)
	left := max(bucket.TokensAt(now), 0)
	whole := math.Ceil((float64(l.perMinute) - left) / perSecond)
	h.Set(headerRateLimitPolicy, fmt.Sprintf(`"partner";q=%d;w=60`, l.perMinute))
	h.Set(headerRateLimit, fmt.Sprintf(`"partner";r=%d;t=%d`, int(left), int(whole)))
	if allowed {
		return nil
	}
	wait := max(time.Duration((1-left)/perSecond*float64(time.Second)), time.Second)
	return &apierror.Error{
		Code: apierror.RateLimited, Detail: "The partner has sent too many requests. Retry later.", RetryAfter: wait,
		Fields: []apierror.Field{{Code: "rate_limited", Detail: "Requests per minute.", Limit: l.perMinute}},
	}
}
