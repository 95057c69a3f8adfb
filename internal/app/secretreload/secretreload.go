// Package secretreload keeps functions at the secrets of now: one that runs is built
// anew when a secret that it was built with has changed.
package secretreload

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/config"
	"aviso/internal/keyring"
)

const (
	// Fresh is how long a function goes by the secrets it was built with
	// before it looks at them again. docs/rotation.md has operators wait longer
	// than that between two steps.
	Fresh = 5 * time.Minute
	// secretsPause is how long until the next look after one that failed.
	secretsPause = 30 * time.Second
	// secretsWait bounds a look: a request waits for it.
	secretsWait = 2 * time.Second
)

// Held is the secrets that a function has been built with. It reads each once.
type Held struct {
	source keyring.SecretReader
	mu     sync.Mutex
	texts  map[string]string // by ARN or name
}

// Reader reads from Secrets Manager what is not held yet.
func (h *Held) Reader(cfg aws.Config) keyring.SecretReader {
	h.source = secretsmanager.NewFromConfig(cfg)
	return h
}

// GetSecretValue is keyring.SecretReader's.
func (h *Held) GetSecretValue(ctx context.Context, in *secretsmanager.GetSecretValueInput, opts ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error) {
	h.mu.Lock()
	text, held := h.texts[*in.SecretId]
	h.mu.Unlock()
	if held {
		return &secretsmanager.GetSecretValueOutput{SecretString: &text}, nil
	}
	out, err := h.source.GetSecretValue(ctx, in, opts...)
	if err == nil && out.SecretString != nil {
		h.mu.Lock()
		h.texts[*in.SecretId] = *out.SecretString
		h.mu.Unlock()
	}
	return out, err
}

// readAnew reads the same secrets again and tells whether one has changed.
func (h *Held) readAnew(ctx context.Context) (fresh *Held, changed bool, err error) {
	fresh = &Held{source: h.source, texts: map[string]string{}}
	for id, text := range h.texts {
		out, err := fresh.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
		if err != nil {
			return nil, false, err
		}
		changed = changed || out.SecretString == nil || *out.SecretString != text
	}
	return fresh, changed, nil
}

// Builder wires a function together with what it reads through secrets.
type Builder func(ctx context.Context, env config.Env, secrets *Held) (lambda.Handler, error)

// renewing is a function that is built anew when one of its secrets has changed,
// so that a rotation reaches the instances that run. Lambda may keep one for
// hours.
type renewing struct {
	build func(ctx context.Context, secrets *Held) (lambda.Handler, error)
	now   func() time.Time

	looking sync.Mutex // held by the invocation that looks

	mu      sync.Mutex
	handler lambda.Handler
	secrets *Held
	lookAt  time.Time
}

// New builds a function, and builds it anew when that is due by the clock now.
func New(ctx context.Context, env config.Env, now func() time.Time, build Builder) (lambda.Handler, error) {
	r := &renewing{now: now, secrets: &Held{texts: map[string]string{}}, lookAt: now().Add(Fresh)}
	r.build = func(ctx context.Context, secrets *Held) (lambda.Handler, error) {
		return build(ctx, env, secrets)
	}
	var err error
	if r.handler, err = r.build(ctx, r.secrets); err != nil {
		return nil, err
	}
	return r, nil
}

// Invoke is lambda.Handler's.
func (r *renewing) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	handler, due := r.current()
	if due && r.looking.TryLock() { // Lambda has one invocation at a time; elsewhere the others go on
		r.look(ctx)
		r.looking.Unlock()
		handler, _ = r.current()
	}
	return handler.Invoke(ctx, payload)
}

func (r *renewing) current() (handler lambda.Handler, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.handler, !r.now().Before(r.lookAt)
}

// look goes on with the secrets of before where the new ones cannot be read, or
// are such that the function cannot be built: an operator's slip must not take
// down what runs.
func (r *renewing) look(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, secretsWait)
	defer cancel()
	fresh, changed, err := r.secrets.readAnew(bounded)
	var handler lambda.Handler
	if err == nil && changed {
		handler, err = r.build(ctx, fresh)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.lookAt = r.now().Add(secretsPause)
		slog.ErrorContext(ctx, "secrets not renewed", "error", err.Error())
	case changed:
		r.handler, r.secrets, r.lookAt = handler, fresh, r.now().Add(Fresh)
		slog.InfoContext(ctx, "secrets renewed")
	default:
		r.lookAt = r.now().Add(Fresh)
	}
}
