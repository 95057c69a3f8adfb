package keyring

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
)

// safe is Secrets Manager with one secret.
type safe struct {
	mu    sync.Mutex
	text  string
	err   error
	reads int
	hold  chan struct{}
}

func (s *safe) set(text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.err = text, err
}

func (s *safe) GetSecretValue(
	ctx context.Context,
	_ *secretsmanager.GetSecretValueInput,
	_ ...func(*secretsmanager.Options),
) (*secretsmanager.GetSecretValueOutput, error) {
	s.mu.Lock()
	s.reads++
	text, err, hold := s.text, s.err, s.hold
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return &secretsmanager.GetSecretValueOutput{SecretString: &text}, nil
}

// named is a handler that returns its name.
type named string

func (n named) Invoke(context.Context, []byte) ([]byte, error) { return []byte(n), nil }

// echoing is a function that returns its secret. It cannot be built with
// the secret "broken".
type echoing struct {
	lambda.Handler
	*testing.T
	safe   *safe
	mu     sync.Mutex
	now    time.Time
	builds int
}

func newEchoing(t *testing.T) *echoing {
	t.Helper()
	e := &echoing{T: t, safe: &safe{text: "one"}, now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	var err error
	e.Handler, err = Reloading(t.Context(), nil, func() time.Time { e.mu.Lock(); defer e.mu.Unlock(); return e.now },
		func(ctx context.Context, _ config.Env, secrets *Cache) (lambda.Handler, error) {
			e.builds++
			secrets.source = e.safe
			id := "id"
			for range 2 { // the second time as read before
				out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
				if err != nil {
					return nil, err
				}
				if *out.SecretString == "broken" {
					return nil, errors.New("cannot be built")
				}
			}
			return named(secrets.texts["id"]), nil
		})
	require.NoError(t, err)
	return e
}

func (e *echoing) after(d time.Duration) string {
	e.Helper()
	e.mu.Lock()
	e.now = e.now.Add(d)
	e.mu.Unlock()
	out, err := e.Invoke(e.Context(), nil)
	require.NoError(e, err)
	return string(out)
}

func TestFunctionIsRebuiltWithNewSecrets(t *testing.T) {
	t.Parallel()

	t.Run("when it checks", func(t *testing.T) {
		t.Parallel()
		e := newEchoing(t)
		e.safe.set("two", nil)
		assert.Equal(t, "one", e.after(CheckInterval-1))
		assert.Equal(t, 1, e.safe.reads)
		assert.Equal(t, "two", e.after(1))
		assert.Equal(t, "two", e.after(CheckInterval-1))
		assert.Equal(t, 2, e.safe.reads, "the rebuild reuses the secrets that the check has read")
		assert.Equal(t, 2, e.builds)
	})

	t.Run("but not if nothing has changed", func(t *testing.T) {
		t.Parallel()
		e := newEchoing(t)
		for range 3 {
			assert.Equal(t, "one", e.after(CheckInterval))
		}
		assert.Equal(t, 4, e.safe.reads)
		assert.Equal(t, 1, e.builds)
	})

	t.Run("and keeps the old ones if they cannot be read", func(t *testing.T) {
		t.Parallel()
		e := newEchoing(t)
		e.safe.set("two", errors.New("away"))
		assert.Equal(t, "one", e.after(CheckInterval))
		assert.Equal(t, "one", e.after(retryInterval-1))
		assert.Equal(t, 2, e.safe.reads)
		e.safe.set("two", nil)
		assert.Equal(t, "two", e.after(1))
	})

	t.Run("and keeps the old ones if it cannot be built", func(t *testing.T) {
		t.Parallel()
		e := newEchoing(t)
		e.safe.set("broken", nil)
		assert.Equal(t, "one", e.after(CheckInterval))
		e.safe.set("two", nil)
		assert.Equal(t, "two", e.after(retryInterval))
	})

	t.Run("while other invocations continue", func(t *testing.T) {
		t.Parallel()
		e := newEchoing(t)
		e.safe.mu.Lock()
		e.safe.text, e.safe.hold = "two", make(chan struct{})
		e.safe.mu.Unlock()
		looked := make(chan string)
		e.mu.Lock()
		e.now = e.now.Add(CheckInterval)
		e.mu.Unlock()
		go func() {
			out, _ := e.Invoke(e.Context(), nil)
			looked <- string(out)
		}()
		require.Eventually(
			t,
			func() bool { e.safe.mu.Lock(); defer e.safe.mu.Unlock(); return e.safe.reads == 2 },
			5*time.Second,
			time.Millisecond,
		)
		assert.Equal(t, "one", e.after(0))
		close(e.safe.hold)
		assert.Equal(t, "two", <-looked)
	})
}
