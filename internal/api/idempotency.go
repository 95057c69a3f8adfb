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

	"aviso/internal/apierror"
	"aviso/internal/idempotency"
	"aviso/internal/owner"
)

const (
	// answerLife is how long an answer is repeated.
	answerLife = 24 * time.Hour
	// claimLife is how long a request that was never completed counts as running.
	// It exceeds the longest timeout of a function behind the API.
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
	// Release frees a key that was claimed.
	Release(ctx context.Context, user owner.User, key string, c idempotency.Claim) error
}

// keptAnswer is the content of a stored answer.
type keptAnswer struct {
	Status int
	Header http.Header
	Body   []byte
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
		return &apierror.Error{
			Code: apierror.IdempotencyInProgress, RetryAfter: time.Second,
			Detail: "The first request with this key is still in progress. Retry later.",
		}
	case taken:
		return r.replay(w, req, user, key, held)
	}
	return r.answerFirst(w, req, user, key, mine, next)
}

// answerFirst runs the handler under the claim and stores its answer.
func (r *Router) answerFirst(
	w http.ResponseWriter, req *http.Request, user owner.User, key string, mine idempotency.Claim, next http.Handler,
) error {
	ctx := req.Context()
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
	next.ServeHTTP(a, req)
	defer a.send()
	if a.status < 200 || a.status > 299 {
		return nil
	}
	plain, err := json.Marshal(keptAnswer{Status: a.status, Header: keptHeaders(a.Header()), Body: a.body})
	if err != nil {
		return fmt.Errorf("marshal answer: %w", err)
	}
	mine.Answer = r.opts.Stored.Seal(plain, answerBinding(user, key))
	settled = true // the request has taken effect: leaving the key claimed is safer than freeing it
	if err := r.opts.Answers.Keep(ctx, user, key, mine, r.opts.Now().Add(answerLife)); err != nil {
		r.opts.Log.WarnContext(ctx, "answer not stored", "requestId", RequestID(ctx), "error", err.Error())
	}
	return nil
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
	maps.Copy(w.Header(), kept.Header)
	w.Header().Set(headerReplayed, "true")
	w.WriteHeader(kept.Status)
	_, _ = w.Write(kept.Body)
	return nil
}

// keptHeaders returns the headers to store: those of the answer, not of this request.
func keptHeaders(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range []string{"Content-Type", "Location", "Deprecation", "Sunset", "Link"} {
		if v := h.Values(name); len(v) > 0 {
			kept[name] = v
		}
	}
	return kept
}

func answerBinding(user owner.User, key string) string { return user.Key() + "#" + key }

func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
