package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/api"
)

func rate(perMinute int) func(*api.Options) { return func(o *api.Options) { o.RateLimit = perMinute } }

func unlimited(o *api.Options) { o.RateLimit = 1 << 30 }

func TestRateLimit(t *testing.T) {
	t.Parallel()
	list := get("/test/v1/things")

	t.Run("is in every response, and leads to 429", func(t *testing.T) {
		s := newService(t, rate(60))
		for i := 1; i <= 60; i++ {
			res := s.accepted(list, http.StatusOK)
			assert.Equal(t, `"partner";q=60;w=60`, res.header.Get("RateLimit-Policy"))
			assert.Equal(t, fmt.Sprintf(`"partner";r=%d;t=%d`, 60-i, i), res.header.Get("RateLimit"))
		}
		p, res := s.refused(list, http.StatusTooManyRequests, "rate_limited")
		assert.Equal(t, 60, p.Errors[0].Limit)
		assert.Equal(t, 1, p.Errors[0].RetryAfter)
		assert.Equal(t, `"partner";r=0;t=60`, res.header.Get("RateLimit"))
		assert.Equal(t, "1", res.header.Get("Retry-After"))
	})

	t.Run("is restored after the stated wait", func(t *testing.T) {
		s := newService(t, rate(2))
		s.accepted(list, http.StatusOK)
		s.accepted(list, http.StatusOK)
		_, res := s.refused(list, http.StatusTooManyRequests, "rate_limited")
		assert.Equal(t, "30", res.header.Get("Retry-After"))
		s.clock.Advance(29 * time.Second)
		_, res = s.refused(list, http.StatusTooManyRequests, "rate_limited")
		assert.Equal(t, "1", res.header.Get("Retry-After"))
		s.clock.Advance(time.Second)
		s.accepted(list, http.StatusOK)
		s.refused(list, http.StatusTooManyRequests, "rate_limited")
		s.clock.Advance(time.Hour)
		s.accepted(list, http.StatusOK)
		s.accepted(list, http.StatusOK)
		s.refused(list, http.StatusTooManyRequests, "rate_limited")
	})

	t.Run("holds for parallel requests", func(t *testing.T) {
		s := newService(t, rate(10))
		var accepted atomic.Int64
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if s.send(list).status == http.StatusOK {
					accepted.Add(1)
				}
			})
		}
		all.Wait()
		assert.EqualValues(t, 10, accepted.Load())
	})

	t.Run("is separate for each partner, and counts refused requests", func(t *testing.T) {
		s := newService(t, rate(1))
		wrong := list
		wrong.query = "limit=0"
		s.refused(wrong, http.StatusUnprocessableEntity, "validation_failed")
		s.refused(list, http.StatusTooManyRequests, "rate_limited")
		s.accepted(list.with("Authorization", "Bearer "+s.token("globex")), http.StatusOK)
		s.accepted(get("/test/odd/show"), http.StatusOK)
	})

	t.Run("is shared by a partner's users", func(t *testing.T) {
		s := newService(t, rate(1))
		s.accepted(list.with("X-User-Id", userID), http.StatusOK)
		s.refused(list.with("X-User-Id", "9f8c6a52-31e7-4a0b-b5f1-2f40f0c9c1d3"), http.StatusTooManyRequests, "rate_limited")
	})
}
