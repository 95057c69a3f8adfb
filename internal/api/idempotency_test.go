package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/localstack/testenv"
)

// remembering is a service that stores its answers in its own table.
func remembering(t *testing.T, change ...func(*api.Options)) (*service, string) {
	t.Helper()
	table := testenv.Table(t, "IdempotencyTable")
	answers := func(o *api.Options) { o.Answers = idempotency.New(testenv.DynamoDB(t), table) }
	return newService(t, append([]func(*api.Options){unlimited, answers}, change...)...), table
}

func answersIn(db *dynamodb.Client) func(*api.Options) {
	return func(o *api.Options) { o.Answers = idempotency.New(db, "answers") }
}

func keyed(key, name string) request {
	return create(`{"name":"`+name+`"}`).with("Idempotency-Key", key)
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()

	t.Run("repeats the first answer for a day", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		first := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Empty(t, first.header.Get("Idempotency-Replayed"))
		assert.Equal(t, false, s.log.last(t)["replayed"])
		for range 2 {
			s.clock.advance(24*time.Hour/2 - time.Second)
			again := s.accepted(keyed("k", "a").with("X-Request-Id", "second"), http.StatusCreated)
			assert.Equal(t, first.body, again.body)
			assert.Equal(t, "application/json", again.header.Get("Content-Type"))
			assert.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
			assert.Equal(t, "second", again.header.Get("X-Request-Id"), "the ID is that of this request")
			assert.NotEmpty(t, again.header.Get("RateLimit"))
			assert.Equal(t, true, s.log.last(t)["replayed"])
		}
		assert.EqualValues(t, 1, s.ops.made.Load())
		s.clock.advance(4 * time.Second)
		later := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.NotEqual(t, first.body, later.body)
		assert.Empty(t, later.header.Get("Idempotency-Replayed"))
	})

	t.Run("repeats the second success status too", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		first := s.accepted(keyed("k", "Known"), http.StatusOK)
		assert.Equal(t, first.body, s.accepted(keyed("k", "Known"), http.StatusOK).body)
		assert.EqualValues(t, 1, s.ops.made.Load())
	})

	t.Run("belongs to one request", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		s.accepted(keyed("k", "a"), http.StatusCreated)
		s.refused(keyed("k", "b"), http.StatusUnprocessableEntity, "idempotency_key_reused")
		other := keyed("k", "a")
		other.query = "dryRun=true"
		s.refused(other, http.StatusUnprocessableEntity, "idempotency_key_reused")
		s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.EqualValues(t, 1, s.ops.made.Load())
	})

	t.Run("belongs to one partner and user", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		mine := keyed("k", "a")
		mine.path = "/test/v1/mine"
		for i, r := range []request{
			keyed("k", "a"), keyed("k", "b").with("Authorization", "Bearer "+s.token("globex")),
			mine.with("X-User-Id", userID), mine.with("X-User-Id", "2c4e28ba-2fa1-4d1e-883f-0016d3cca427"),
			mine.with("X-User-Id", userID).with("Authorization", "Bearer "+s.token("globex")),
		} {
			assert.Empty(t, s.accepted(r, http.StatusCreated).header.Get("Idempotency-Replayed"))
			assert.EqualValues(t, i+1, s.ops.made.Load())
		}
	})

	t.Run("has 1 to 255 characters, and every one counts", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		for _, key := range []string{"", strings.Repeat("k", 256)} {
			p, _ := s.refused(keyed(key, "a"), http.StatusUnprocessableEntity, "validation_failed")
			require.Len(t, p.Errors, 1)
			assert.Equal(t, "Idempotency-Key", p.Errors[0].Header)
		}
		keys := []string{"k", "K", strings.Repeat("k", 255), strings.Repeat("k", 254), "a,b", "a, b", "a,,b", `"k"`, "a b"}
		for i, key := range keys {
			assert.Empty(t, s.accepted(keyed(key, "a"), http.StatusCreated).header.Get("Idempotency-Replayed"), key)
			assert.EqualValues(t, i+1, s.ops.made.Load())
		}
		for _, key := range keys {
			assert.Equal(t, "true", s.accepted(keyed(key, "a"), http.StatusCreated).header.Get("Idempotency-Replayed"), key)
		}
	})

	t.Run("is free again after a refusal, a failure or a panic", func(t *testing.T) {
		t.Parallel()
		s, table := remembering(t)
		for name, status := range map[string]int{"Refused": 409, "Broken": 500, "Panic": 500, "": 422} {
			for range 2 {
				assert.Equal(t, status, s.send(keyed("k"+name, name)).status)
			}
			s.accepted(keyed("k"+name, "a"), http.StatusCreated)
		}
		assert.EqualValues(t, 3*2+4, s.ops.made.Load())
		assert.Len(t, rows(t, table), 4)
	})

	t.Run("is not claimed by a caller without access", func(t *testing.T) {
		t.Parallel()
		s, table := remembering(t)
		s.refused(keyed("k", "a").with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
		s.refused(keyed("k", "a").with("Content-Type", "text/plain"), http.StatusUnsupportedMediaType, "unsupported_media_type")
		assert.Empty(t, rows(t, table))
	})

	t.Run("is ignored by an operation that creates nothing", func(t *testing.T) {
		t.Parallel()
		s, table := remembering(t)
		s.accepted(list("").with("Idempotency-Key", "k"), http.StatusOK)
		assert.Empty(t, rows(t, table))
	})

	t.Run("and the answer are unreadable in the table", func(t *testing.T) {
		t.Parallel()
		s, table := remembering(t)
		s.accepted(keyed("erika@example.com", "Erika Mustermann"), http.StatusCreated)
		all := rows(t, table)
		require.Len(t, all, 1)
		assert.NotContains(t, all[0], "erika@")
		assert.NotContains(t, all[0], "Mustermann")
	})
}

// rows returns all rows of a table as text.
func rows(t *testing.T, table string) []string {
	t.Helper()
	out, err := testenv.DynamoDB(t).Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	all := make([]string, len(out.Items))
	for i, item := range out.Items {
		for name, value := range item {
			all[i] += name + "=" + printed(value) + " "
		}
	}
	return all
}

func TestIdempotencyKeyInUse(t *testing.T) {
	t.Parallel()

	t.Run("refuses a second request until the first is done", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		var first reply
		var running sync.WaitGroup
		running.Go(func() { first = s.send(keyed("k", "Slow")) })
		<-s.ops.entered
		_, res := s.refused(keyed("k", "Slow"), http.StatusConflict, "idempotency_in_progress")
		assert.Equal(t, "61", res.header.Get("Retry-After"), "the key is free then if the first has died")
		s.clock.advance(50 * time.Second)
		_, res = s.refused(keyed("k", "Slow"), http.StatusConflict, "idempotency_in_progress")
		assert.Equal(t, "11", res.header.Get("Retry-After"))
		s.refused(keyed("k", "other"), http.StatusUnprocessableEntity, "idempotency_key_reused")
		close(s.ops.gate)
		running.Wait()
		require.Equal(t, http.StatusCreated, first.status)
		assert.Equal(t, first.body, s.accepted(keyed("k", "Slow"), http.StatusCreated).body)
		assert.EqualValues(t, 1, s.ops.made.Load())
	})

	t.Run("of a request that never completed is free after a minute", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		var running sync.WaitGroup
		running.Go(func() { s.send(keyed("k", "Slow")) })
		<-s.ops.entered
		s.clock.advance(time.Minute)
		_, res := s.refused(keyed("k", "Slow"), http.StatusConflict, "idempotency_in_progress")
		assert.Equal(t, "1", res.header.Get("Retry-After"))
		s.clock.advance(time.Second)
		second := s.accepted(keyed("k", "a"), http.StatusCreated)
		close(s.ops.gate)
		running.Wait()
		assert.Equal(t, second.body, s.accepted(keyed("k", "a"), http.StatusCreated).body, "the late request does not overwrite the answer")
	})

	t.Run("admits exactly one of many requests", func(t *testing.T) {
		t.Parallel()
		s, _ := remembering(t)
		const n = 24
		replies := make([]reply, n)
		start := make(chan struct{})
		var all sync.WaitGroup
		for i := range replies {
			all.Go(func() {
				<-start
				replies[i] = s.send(keyed("k", "a"))
			})
		}
		close(start)
		all.Wait()
		assert.EqualValues(t, 1, s.ops.made.Load())
		firsts := 0
		for _, r := range replies {
			if r.status == http.StatusConflict {
				assert.EqualValues(t, "idempotency_in_progress", s.problem(r).Code)
				continue
			}
			require.Equal(t, http.StatusCreated, r.status, r.body)
			assert.JSONEq(t, `{"data":{"thing":{"thingId":"1","name":"a"}},"meta":{"pagination":{}}}`, r.body)
			if r.header.Get("Idempotency-Replayed") == "" {
				firsts++
			}
		}
		assert.Equal(t, 1, firsts)
	})
}

// storing is a service whose transactions store things and answers. things returns how
// many there are.
func storing(t *testing.T, change ...func(*api.Options)) (s *service, things func() int) {
	t.Helper()
	s, _ = remembering(t, change...)
	name := testenv.Table(t, "IdempotencyTable")
	table := dynamo.NewTable(testenv.DynamoDB(t), name)
	s.ops.store = &table
	return s, func() int { return len(rows(t, name)) }
}

func TestIdempotencyKeyInTheTransaction(t *testing.T) {
	t.Parallel()

	t.Run("gives the thing that was made before a failure or a panic", func(t *testing.T) {
		t.Parallel()
		s, things := storing(t)
		for i, name := range []string{"BrokenLater", "PanicLater"} {
			s.refused(keyed("k"+name, name), http.StatusInternalServerError, "internal_error")
			for range 2 {
				again := s.accepted(keyed("k"+name, name), http.StatusCreated)
				assert.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
				assert.Equal(t, "application/json", again.header.Get("Content-Type"))
				assert.JSONEq(t, fmt.Sprintf(`{"data":{"thing":{"thingId":"%d","name":%q}},"meta":{"pagination":{}}}`, i+1, name),
					again.body)
			}
			assert.Equal(t, i+1, things())
		}
	})

	t.Run("gives the thing that was made although its answer was lost", func(t *testing.T) {
		t.Parallel()
		s, things := storing(t, func(o *api.Options) { o.Answers = forgetful{o.Answers} })
		first := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Equal(t, first.body, s.accepted(keyed("k", "a"), http.StatusCreated).body)
		assert.Equal(t, 1, things())
	})

	t.Run("has the same response as without a key", func(t *testing.T) {
		t.Parallel()
		s, _ := storing(t)
		plain := s.accepted(create(`{"name":"<Ä & B>"}`), http.StatusCreated)
		withKey := s.accepted(keyed("k", "<Ä & B>"), http.StatusCreated)
		assert.Equal(t, strings.Replace(plain.body, `"1"`, `"2"`, 1), withKey.body)
		assert.Equal(t, plain.header.Get("Content-Type"), withKey.header.Get("Content-Type"))
	})

	t.Run("lets no request commit whose key another one holds", func(t *testing.T) {
		t.Parallel()
		s, things := storing(t)
		var late reply
		var running sync.WaitGroup
		running.Go(func() { late = s.send(keyed("k", "Slow")) })
		<-s.ops.entered
		s.clock.advance(time.Minute + 2*time.Second)
		second := s.accepted(keyed("k", "a"), http.StatusCreated)
		close(s.ops.gate)
		running.Wait()
		assert.EqualValues(t, "idempotency_in_progress", s.problem(late).Code)
		assert.Equal(t, second.body, s.accepted(keyed("k", "a"), http.StatusCreated).body)
		assert.Equal(t, 1, things())
	})

}

// forgetful is a store that stores answers in transactions only.
type forgetful struct{ api.AnswerStore }

func (forgetful) Keep(context.Context, owner.User, string, idempotency.Claim, time.Time) error {
	return errUnexpected
}

func TestIdempotencyStoreThatFails(t *testing.T) {
	t.Parallel()

	t.Run("before the handler runs prevents it", func(t *testing.T) {
		t.Parallel()
		s := newService(t, func(o *api.Options) { o.Answers = failing{claim: errUnexpected} })
		s.refused(keyed("k", "a"), http.StatusInternalServerError, "internal_error")
		assert.Zero(t, s.ops.made.Load())
		s.accepted(create(`{"name":"a"}`), http.StatusCreated)
	})

	t.Run("after the handler ran does not hide its answer", func(t *testing.T) {
		t.Parallel()
		s := newService(t, func(o *api.Options) { o.Answers = failing{keep: errUnexpected} })
		s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Contains(t, s.log.text(), "answer not stored")
	})

	t.Run("on release does not hide the refusal", func(t *testing.T) {
		t.Parallel()
		s := newService(t, func(o *api.Options) { o.Answers = failing{release: errUnexpected} })
		s.refused(keyed("k", "Refused"), http.StatusConflict, "conflict")
		assert.Contains(t, s.log.text(), "idempotency key not released")
	})

	t.Run("on a replay is an internal error", func(t *testing.T) {
		t.Parallel()
		s := newService(t, func(o *api.Options) { o.Answers = failing{answer: []byte("not sealed")} })
		s.refused(keyed("k", "a"), http.StatusInternalServerError, "internal_error")
		assert.Zero(t, s.ops.made.Load())
	})
}

// failing is a store with one fault. With an answer, every key is taken by this
// very request.
type failing struct {
	claim, keep, release error
	answer               []byte
}

func (f failing) Claim(_ context.Context, _ owner.User, _ string, c idempotency.Claim, _, _ time.Time) (idempotency.Claim, bool, error) {
	c.Answer = f.answer
	return c, f.answer != nil, f.claim
}

func (f failing) Keep(context.Context, owner.User, string, idempotency.Claim, time.Time) error {
	return f.keep
}

func (f failing) Bind(ctx context.Context, _ *idempotency.Effect) context.Context { return ctx }

func (f failing) Release(context.Context, owner.User, string, idempotency.Claim) error {
	return f.release
}
