package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const maxKey = 255

// AnswerStore stores the answers given under idempotency keys.
type AnswerStore interface {
	// Find returns the answer stored under the key, or outcome.ErrNotFound.
	Find(ctx context.Context, user owner.User, key string, now time.Time) (idempotency.Answer, error)
	// Keep stores the answer of a request that created nothing. It returns outcome.ErrChanged if the key already has an
	// answer.
	Keep(ctx context.Context, user owner.User, key string, a idempotency.Answer, now time.Time) error
	// Begin returns a pending request. An effect of its transaction stores the answer.
	Begin(user owner.User, key, request string, now time.Time) *idempotency.Pending
}

// keptAnswer is the content of a stored answer.
type keptAnswer struct {
	Status int
	Header http.Header
	Body   []byte
}

// pendingAnswer is the answer of a request with an idempotency key. It is empty until the request's transaction stores
// it.
type pendingAnswer struct {
	*idempotency.Pending
	keptAnswer
	seal func(keptAnswer) ([]byte, error)
}

// Effect returns the effect for the transaction that creates a T. If the request has an idempotency key, the effect
// stores the response.
func Effect[T, D any](ctx context.Context, response func(created T) *Response[D]) idempotency.Effect[T] {
	p := callFrom(ctx).pending
	if p == nil {
		return nil
	}
	return idempotency.EffectOf(p.Pending, func(created T) ([]byte, error) {
		res := response(created)
		var body bytes.Buffer
		if err := huma.DefaultJSONFormat.Marshal(&body, res.Body); err != nil {
			return nil, fmt.Errorf("marshal response: %w", err)
		}
		p.keptAnswer = keptAnswer{Status: res.Status, Header: keptHeader(), Body: body.Bytes()}
		return p.seal(p.keptAnswer)
	})
}

// Make calls do and responds with the object that it creates. The transaction of do must have the effect.
func Make[T, D any](
	ctx context.Context, response func(made T) *Response[D], do func(also idempotency.Effect[T]) (T, error),
) (*Response[D], error) {
	made, err := do(Effect(ctx, response))
	if err != nil {
		return nil, err
	}
	return response(made), nil
}

// idempotent repeats the first answer when a request is repeated. Only successes
// are stored: a refused request changed nothing, so its key stays free for the
// corrected request.
func (r *Router) idempotent(actsElsewhere bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent, present := req.Header[http.CanonicalHeaderKey(headerIdempotency)]
		if !present {
			next.ServeHTTP(w, req)
			return
		}
		if len(sent) != 1 || sent[0] == "" || utf8.RuneCountInString(sent[0]) > maxKey {
			WriteProblem(w, req, apierror.Invalid(
				apierror.Field{Header: headerIdempotency, Code: "invalid", Detail: "Must have 1 to 255 characters."},
			))
			return
		}
		a := &answer{w: w}
		if err := r.answerOnce(a, req, sent[0], actsElsewhere, next); err != nil {
			WriteProblem(a, req, err)
		}
		a.send()
	})
}

// answerOnce runs the handler. If the key has an answer, the handler's transaction is refused, and answerOnce sends
// that answer. It also does so if the handler refuses a repeated request that it allowed the first time. After a
// crash the request can simply be repeated.
func (r *Router) answerOnce(
	a *answer, req *http.Request, sentKey string, actsElsewhere bool, next http.Handler,
) error {
	ctx, user, now := req.Context(), User(req.Context()), r.opts.Now()
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	key := digest([]byte(sentKey)) // the key may contain personal data
	// The order of members, spaces and the spelling of numbers do not make another request.
	if canonical := jsontext.Value(bytes.Clone(body)); canonical.Canonicalize() == nil { // RFC 8785
		body = canonical
	}
	request := digest([]byte(req.Method), []byte(req.URL.RequestURI()), body)
	callFrom(ctx).key = key + "/" + request
	if actsElsewhere {
		first, err := r.opts.Answers.Find(ctx, user, key, now)
		if err == nil {
			return r.replay(a, req, user, key, request, first)
		}
		if !errors.Is(err, outcome.ErrNotFound) {
			return fmt.Errorf("find stored answer: %w", err)
		}
	}
	seal := func(k keptAnswer) ([]byte, error) { return r.sealAnswer(k, user, key) }
	p := &pendingAnswer{Pending: r.opts.Answers.Begin(user, key, request, now), seal: seal}
	callFrom(ctx).pending = p
	before := a.Header().Clone()
	next.ServeHTTP(a, req)
	if p.Committed() {
		p.write(a)
		return nil
	}
	if a.status >= 200 && a.status <= 299 {
		sealed, err := seal(keptAnswer{Status: a.status, Header: keptHeader(), Body: a.body})
		if err != nil {
			return err
		}
		err = r.opts.Answers.Keep(ctx, user, key, idempotency.Answer{Request: request, Sealed: sealed}, now)
		if err == nil {
			return nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			r.opts.Log.WarnContext(ctx, "answer not stored", "requestId", RequestID(ctx), "error", err.Error())
			return nil
		}
	}
	first, err := r.opts.Answers.Find(ctx, user, key, now)
	if err != nil {
		if !errors.Is(err, outcome.ErrNotFound) {
			r.opts.Log.WarnContext(ctx, "stored answer not read", "requestId", RequestID(ctx), "error", err.Error())
		}
		if c := callFrom(ctx); errors.Is(c.cause, idempotency.ErrAnswered) {
			c.cause = nil
			return &apierror.Error{
				Code: apierror.IdempotencyInProgress, RetryAfter: time.Second,
				Detail: "Another request with this key was faster, and its answer cannot be read yet. Retry later.",
			}
		}
		return nil
	}
	callFrom(ctx).cause = nil
	clear(a.Header())
	maps.Copy(a.Header(), before)
	return r.replay(a, req, user, key, request, first)
}

func (r *Router) sealAnswer(a keptAnswer, user owner.User, key string) ([]byte, error) {
	plain, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("marshal answer: %w", err)
	}
	return r.opts.Stored.Seal(plain, answerBinding(user, key)), nil
}

// replay sends the answer stored under the key.
func (r *Router) replay(
	a *answer, req *http.Request, user owner.User, key, request string, first idempotency.Answer,
) error {
	if first.Request != request {
		return apierror.New(apierror.IdempotencyKeyReused,
			"This idempotency key was already used for a different request. Use a new key.")
	}
	plain, err := r.opts.Stored.Open(first.Sealed, answerBinding(user, key))
	if err != nil {
		return fmt.Errorf("open stored answer: %w", err)
	}
	var kept keptAnswer
	if err := json.Unmarshal(plain, &kept); err != nil {
		return fmt.Errorf("unmarshal stored answer: %w", err)
	}
	c := callFrom(req.Context())
	c.replayed, c.code = true, ""
	a.Header().Set(headerReplayed, "true")
	kept.write(a)
	return nil
}

// write replaces the handler's response.
func (k keptAnswer) write(a *answer) {
	a.forget()
	maps.Copy(a.Header(), k.Header)
	a.WriteHeader(k.Status)
	_, _ = a.Write(k.Body)
}

// keptHeader returns the headers to store: those of the answer, not of this request.
func keptHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }

func answerBinding(user owner.User, key string) string { return user.Key() + "#" + key }

func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
