package api_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
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
		s, things := storing(t)
		first := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Empty(t, first.header.Get("Idempotency-Replayed"))
		assert.Equal(t, false, s.log.last(t)["replayed"])
		for range 2 {
			s.clock.Advance(24*time.Hour/2 - time.Second)
			again := s.accepted(keyed("k", "a").with("X-Request-Id", "second"), http.StatusCreated)
			assert.Equal(t, first.body, again.body)
			assert.Equal(t, "application/json", again.header.Get("Content-Type"))
			assert.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
			assert.Equal(t, "second", again.header.Get("X-Request-Id"), "the ID is that of this request")
			assert.NotEmpty(t, again.header.Get("RateLimit"))
			assert.Equal(t, true, s.log.last(t)["replayed"])
		}
		assert.Equal(t, 1, things())
		s.clock.Advance(4 * time.Second)
		later := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.NotEqual(t, first.body, later.body)
		assert.Empty(t, later.header.Get("Idempotency-Replayed"))
	})

	t.Run("repeats the second success status too", func(t *testing.T) {
		s, _ := remembering(t)
		first := s.accepted(keyed("k", "Known"), http.StatusOK)
		assert.Equal(t, first.body, s.accepted(keyed("k", "Known"), http.StatusOK).body)
	})

	t.Run("belongs to one request", func(t *testing.T) {
		s, things := storing(t)
		s.accepted(keyed("k", "a"), http.StatusCreated)
		s.refused(keyed("k", "b"), http.StatusUnprocessableEntity, "idempotency_key_reused")
		other := keyed("k", "a")
		other.query = "dryRun=true"
		s.refused(other, http.StatusUnprocessableEntity, "idempotency_key_reused")
		s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Equal(t, 1, things())
	})

	t.Run("belongs to one partner and user", func(t *testing.T) {
		s, things := storing(t)
		mine := keyed("k", "a")
		mine.path = "/test/v1/mine"
		for i, r := range []request{
			keyed("k", "a"), keyed("k", "b").with("Authorization", "Bearer "+s.token("globex")),
			mine.with("X-User-Id", userID), mine.with("X-User-Id", "2c4e28ba-2fa1-4d1e-883f-0016d3cca427"),
			mine.with("X-User-Id", userID).with("Authorization", "Bearer "+s.token("globex")),
		} {
			assert.Empty(t, s.accepted(r, http.StatusCreated).header.Get("Idempotency-Replayed"))
			assert.Equal(t, i+1, things())
		}
	})

	t.Run("has 1 to 255 characters, and every one counts", func(t *testing.T) {
		s, things := storing(t)
		for _, key := range []string{"", strings.Repeat("k", 256)} {
			p, _ := s.refused(keyed(key, "a"), http.StatusUnprocessableEntity, "validation_failed")
			require.Len(t, p.Errors, 1)
			assert.Equal(t, "Idempotency-Key", p.Errors[0].Header)
		}
		keys := []string{"k", "K", strings.Repeat("k", 255), strings.Repeat("k", 254), "a,b", "a, b", "a,,b", `"k"`, "a b"}
		for i, key := range keys {
			assert.Empty(t, s.accepted(keyed(key, "a"), http.StatusCreated).header.Get("Idempotency-Replayed"), key)
			assert.Equal(t, i+1, things())
		}
		for _, key := range keys {
			assert.Equal(t, "true", s.accepted(keyed(key, "a"), http.StatusCreated).header.Get("Idempotency-Replayed"), key)
		}
	})

	t.Run("is free again after a refusal, a failure or a panic", func(t *testing.T) {
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

	t.Run("belongs to the same JSON, however it is written", func(t *testing.T) {
		s, _ := remembering(t)
		post := func(body string) request { return create(body).with("Idempotency-Key", "k") }
		s.accepted(post(`{"name":"Zoë","count":10}`), http.StatusCreated)
		for _, same := range []string{
			`{"count":10,"name":"Zoë"}`, "{\n  \"name\" : \"Zo\\u00eb\",\n  \"count\" : 10.0\n}",
		} {
			assert.Equal(t, "true", s.accepted(post(same), http.StatusCreated).header.Get("Idempotency-Replayed"), same)
		}
		s.refused(post(`{"name":"Zoe","count":10}`), http.StatusUnprocessableEntity, "idempotency_key_reused")
	})

	t.Run("is not used up by a caller without access", func(t *testing.T) {
		s, table := remembering(t)
		s.refused(keyed("k", "a").with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
		s.refused(keyed("k", "a").with("Content-Type", "text/plain"), http.StatusUnsupportedMediaType, "unsupported_media_type")
		assert.Empty(t, rows(t, table))
	})

	t.Run("is ignored by an operation that creates nothing", func(t *testing.T) {
		s, table := remembering(t)
		s.accepted(list("").with("Idempotency-Key", "k"), http.StatusOK)
		assert.Empty(t, rows(t, table))
	})

	t.Run("and the answer are unreadable in the table", func(t *testing.T) {
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

func TestIdempotencyKeyUsedTwiceAtOnce(t *testing.T) {
	t.Parallel()

	// Two requests are in the handler, and then one commits.
	both := func(t *testing.T, s *service, first, second request) (replies [2]reply) {
		t.Helper()
		var running sync.WaitGroup
		for i, r := range []request{first, second} {
			running.Go(func() { replies[i] = s.send(r) })
		}
		<-s.ops.entered
		<-s.ops.entered
		close(s.ops.gate)
		running.Wait()
		return replies
	}

	t.Run("gives both requests the answer of the one that commits", func(t *testing.T) {
		s, things := storing(t)
		replies := both(t, s, keyed("k", "Slow"), keyed("k", "Slow"))
		assert.Equal(t, replies[0].body, replies[1].body)
		replayed := []string{replies[0].header.Get("Idempotency-Replayed"), replies[1].header.Get("Idempotency-Replayed")}
		assert.ElementsMatch(t, []string{"", "true"}, replayed)
		assert.Equal(t, 1, things())
	})

	t.Run("refuses the other of two different requests", func(t *testing.T) {
		s, things := storing(t)
		other := keyed("k", "Slow")
		other.query = "dryRun=true"
		replies := both(t, s, keyed("k", "Slow"), other)
		if replies[0].status == http.StatusCreated {
			replies[0], replies[1] = replies[1], replies[0]
		}
		assert.EqualValues(t, "idempotency_key_reused", s.problem(replies[0]).Code)
		assert.Equal(t, http.StatusCreated, replies[1].status)
		assert.Equal(t, 1, things())
	})

	t.Run("makes one thing of many requests", func(t *testing.T) {
		s, things := storing(t)
		replies := make([]reply, 24)
		var all sync.WaitGroup
		for i := range replies {
			all.Go(func() { replies[i] = s.send(keyed("k", "a")) })
		}
		all.Wait()
		firsts := 0
		for _, r := range replies {
			require.Equal(t, http.StatusCreated, r.status, r.body)
			assert.Equal(t, replies[0].body, r.body)
			if r.header.Get("Idempotency-Replayed") == "" {
				firsts++
			}
		}
		assert.Equal(t, 1, firsts)
		assert.Equal(t, 1, things())
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
		s, things := storing(t)
		s.refused(keyed("panic", "PanicLater"), http.StatusInternalServerError, "internal_error")
		for range 2 {
			again := s.accepted(keyed("panic", "PanicLater"), http.StatusCreated)
			assert.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
			assert.Equal(t, "application/json", again.header.Get("Content-Type"))
			assert.JSONEq(t, `{"data":{"thing":{"thingId":"1","name":"PanicLater"}},"meta":{"pagination":{}}}`, again.body)
		}
		first := s.accepted(keyed("failure", "BrokenLater"), http.StatusCreated)
		assert.Equal(t, "application/json", first.header.Get("Content-Type"))
		assert.Equal(t, first.body, s.accepted(keyed("failure", "BrokenLater"), http.StatusCreated).body)
		assert.Equal(t, 2, things())
	})

	t.Run("is sent although the handler would refuse the request now", func(t *testing.T) {
		s, things := storing(t)
		first := s.accepted(keyed("k", "Once"), http.StatusCreated)
		again := s.accepted(keyed("k", "Once"), http.StatusCreated)
		assert.Equal(t, first.body, again.body)
		assert.Empty(t, again.header.Get("Retry-After"), "is of the refusal")
		assert.NotContains(t, s.log.last(t), "code")
		s.refused(keyed("other", "Once"), http.StatusConflict, "conflict")
		assert.Equal(t, 1, things())
	})

	t.Run("gives the thing that was made although its answer was lost", func(t *testing.T) {
		s, things := storing(t, func(o *api.Options) { o.Answers = forgetful{o.Answers} })
		first := s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Equal(t, first.body, s.accepted(keyed("k", "a"), http.StatusCreated).body)
		assert.Equal(t, 1, things())
	})

	t.Run("has the same response as without a key", func(t *testing.T) {
		s, _ := storing(t)
		plain := s.accepted(create(`{"name":"<Ä & B>"}`), http.StatusCreated)
		withKey := s.accepted(keyed("k", "<Ä & B>"), http.StatusCreated)
		assert.Equal(t, strings.Replace(plain.body, `"1"`, `"2"`, 1), withKey.body)
		assert.Equal(t, plain.header.Get("Content-Type"), withKey.header.Get("Content-Type"))
	})
}

// eachRow changes each row of a table.
func eachRow(t *testing.T, table string, change func(dynamo.Item)) {
	t.Helper()
	db := testenv.DynamoDB(t)
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	for _, row := range out.Items {
		change(row)
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: row})
		require.NoError(t, err)
	}
}

// forgetful is a store that stores answers in transactions only.
type forgetful struct{ api.AnswerStore }

func (forgetful) Keep(context.Context, owner.User, string, idempotency.Answer, time.Time) error {
	return errUnexpected
}

func TestIdempotencyStoreThatFails(t *testing.T) {
	t.Parallel()

	t.Run("to keep an answer does not hide it", func(t *testing.T) {
		s := newService(t, func(o *api.Options) { o.Answers = failing{keep: errUnexpected} })
		s.accepted(keyed("k", "a"), http.StatusCreated)
		assert.Contains(t, s.log.text(), "answer not stored")
	})

	t.Run("to find an answer does not hide the refusal", func(t *testing.T) {
		s := newService(t, func(o *api.Options) { o.Answers = failing{find: errUnexpected} })
		s.refused(keyed("k", "Refused"), http.StatusConflict, "conflict")
		assert.Contains(t, s.log.text(), "stored answer not read")
	})

	t.Run("to find the answer that the key has asks for another try", func(t *testing.T) {
		for _, err := range []error{errUnexpected, outcome.ErrNotFound} { // the second after an erasure
			t.Run(err.Error(), func(t *testing.T) {
				s, things := storing(t, func(o *api.Options) { o.Answers = unreadable{o.Answers, err} })
				s.accepted(keyed("k", "a"), http.StatusCreated)
				_, res := s.refused(keyed("k", "a"), http.StatusConflict, "idempotency_in_progress")
				assert.Equal(t, "1", res.header.Get("Retry-After"))
				assert.NotContains(t, s.log.last(t), "error")
				assert.Equal(t, 1, things())
			})
		}
	})

	t.Run("to open an answer is an internal error", func(t *testing.T) {
		s, table := remembering(t)
		s.accepted(keyed("k", "a"), http.StatusCreated)
		eachRow(t, table, func(row dynamo.Item) { row["answer"] = &types.AttributeValueMemberB{Value: []byte("not sealed")} })
		s.refused(keyed("k", "a"), http.StatusInternalServerError, "internal_error")
	})
}

// unreadable is a store that finds no answers.
type unreadable struct {
	api.AnswerStore
	err error
}

func (u unreadable) Find(context.Context, owner.User, string, time.Time) (idempotency.Answer, error) {
	return idempotency.Answer{}, u.err
}

// failing is a store with one fault.
type failing struct{ find, keep error }

func (f failing) Find(context.Context, owner.User, string, time.Time) (idempotency.Answer, error) {
	return idempotency.Answer{}, f.find
}

func (f failing) Keep(context.Context, owner.User, string, idempotency.Answer, time.Time) error {
	return f.keep
}

func (f failing) Begin(owner.User, string, string, time.Time) *idempotency.Pending {
	return &idempotency.Pending{}
}
