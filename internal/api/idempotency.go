package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo/owner"
)

const (
	// answerLife is how long an answer is repeated.
	answerLife = 24 * time.Hour
	// claimLife is how long a request that was never completed counts as running. It
	// exceeds the longest timeout of a function behind the API, so that a slow request
	// is not overtaken. If it is, its transaction is not committed.
	claimLife = time.Minute
	maxKey    = 255
)

// AnswerStore stores the answers given under idempotency keys.
type AnswerStore interface {
	// Claim reserves the key for this request until the given time. If the key is
	// taken, it returns the claim that holds it.
	Claim(ctx context.Context, user owner.User, key string, c idempotency.Claim, now, until time.Time) (
		held idempotency.Claim, taken bool, err error)
	// Keep stores the answer of a claim.
	Keep(ctx context.Context, user owner.User, key string, c idempotency.Claim, until time.Time) error
	// Release frees a key that was claimed and has no answer yet.
	Release(ctx context.Context, user owner.User, key string, c idempotency.Claim) error
	// Bind returns a context whose transactions store the answer of e.
	Bind(ctx context.Context, e *idempotency.Effect) context.Context
}

// keptAnswer is the content of a stored answer.
type keptAnswer struct {
	Status int
	Header http.Header
	Body   []byte
}

// AnswerWith sets the response for what an operation makes, before it calls its
// service: the transaction that makes it also stores the response, if the request has
// an idempotency key.
func AnswerWith[T, D any](ctx context.Context, response func(made T) *Response[D]) {
	callFrom(ctx).answer = func(made any) (keptAnswer, error) {
		of, ok := made.(T)
		if !ok {
			return keptAnswer{}, fmt.Errorf("no response for a %T", made)
		}
		res := response(of)
		var body bytes.Buffer
		err := huma.DefaultJSONFormat.Marshal(&body, res.Body)
		return keptAnswer{Status: res.Status, Header: keptHeader(), Body: body.Bytes()}, err
	}
}

// Make responds with what do makes; see AnswerWith.
func Make[T, D any](
	ctx context.Context, response func(made T) *Response[D], do func() (T, error),
) (*Response[D], error) {
	AnswerWith(ctx, response)
	made, err := do()
	if err != nil {
		return nil, err
	}
	return response(made), nil
}

// idempotent repeats the first answer when a request is repeated. Only successes
// are stored: a refused request changed nothing, so its key stays free for the
// corrected request.
func (r *Router) idempotent(next http.Handler) http.Handler {
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
		if err := r.answerOnce(w, req, sent[0], next); err != nil {
			WriteProblem(w, req, err)
		}
	})
}

func (r *Router) answerOnce(w http.ResponseWriter, req *http.Request, sentKey string, next http.Handler) error {
	ctx, user := req.Context(), User(req.Context())
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	key := digest([]byte(sentKey)) // the key may contain personal data
	mine := idempotency.Claim{
		Holder: r.opts.NewID(), Request: digest([]byte(req.Method), []byte(req.URL.RequestURI()), body),
	}
	callFrom(ctx).key = key + "/" + mine.Request
	now := r.opts.Now()
	held, taken, err := r.opts.Answers.Claim(ctx, user, key, mine, now, now.Add(claimLife))
	if err != nil {
		return fmt.Errorf("claim idempotency key: %w", err)
	}
	switch {
	case taken && held.Request != mine.Request:
		return apierror.New(apierror.IdempotencyKeyReused,
			"This idempotency key was already used for a different request. Use a new key.")
	case taken && len(held.Answer) == 0:
		return idempotency.InProgress(time.Unix(held.ExpiresAt+1, 0).Sub(now))
	case taken:
		return r.replay(w, req, user, key, held)
	}
	return r.answerFirst(w, req, user, key, mine, next)
}

// answerFirst runs the handler under the claim and stores its answer. If the handler
// made something, the transaction that made it has stored the answer, and that one is
// sent.
func (r *Router) answerFirst(
	w http.ResponseWriter, req *http.Request, user owner.User, key string, mine idempotency.Claim, next http.Handler,
) error {
	ctx := req.Context()
	var made keptAnswer
	effect := &idempotency.Effect{
		User: user, Key: key, Claim: mine, Until: r.opts.Now().Add(answerLife),
		Answer: func(what any) (sealed []byte, err error) {
			respond := callFrom(ctx).answer
			if respond == nil {
				return nil, fmt.Errorf("no response for a %T: the operation lacks AnswerWith", what)
			}
			if made, err = respond(what); err != nil {
				return nil, err
			}
			return r.sealAnswer(made, user, key)
		},
	}
	a := &answer{w: w}
	settled := false
	defer func() {
		if !settled { // a refusal, a failure or a panic
			if err := r.opts.Answers.Release(ctx, user, key, mine); err != nil {
				r.opts.Log.WarnContext(ctx, "idempotency key not released",
					"requestId", RequestID(ctx), "error", err.Error())
			}
		}
	}()
	next.ServeHTTP(a, req.WithContext(r.opts.Answers.Bind(ctx, effect)))
	defer a.send()
	if a.status < 200 || a.status > 299 {
		return nil
	}
	settled = true
	if effect.Committed() {
		a.forget()
		made.write(a)
		return nil
	}
	sealed, err := r.sealAnswer(keptAnswer{Status: a.status, Header: keptHeader(), Body: a.body}, user, key)
	if err != nil {
		return err
	}
	mine.Answer = sealed
	if err := r.opts.Answers.Keep(ctx, user, key, mine, effect.Until); err != nil {
		r.opts.Log.WarnContext(ctx, "answer not stored", "requestId", RequestID(ctx), "error", err.Error())
	}
	return nil
}

func (r *Router) sealAnswer(a keptAnswer, user owner.User, key string) ([]byte, error) {
	plain, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("marshal answer: %w", err)
	}
	return r.opts.Stored.Seal(plain, answerBinding(user, key)), nil
}

func (r *Router) replay(
	w http.ResponseWriter, req *http.Request, user owner.User, key string, held idempotency.Claim,
) error {
	plain, err := r.opts.Stored.Open(held.Answer, answerBinding(user, key))
	if err != nil {
		return fmt.Errorf("open stored answer: %w", err)
	}
	var kept keptAnswer
	if err := json.Unmarshal(plain, &kept); err != nil {
		return fmt.Errorf("unmarshal stored answer: %w", err)
	}
	callFrom(req.Context()).replayed = true
	w.Header().Set(headerReplayed, "true")
	kept.write(w)
	return nil
}

func (a keptAnswer) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
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
