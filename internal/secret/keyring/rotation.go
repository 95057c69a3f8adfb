package keyring

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/aws/config"
)

const (
	// CheckInterval is how long a function uses its secrets before it reads them
	// again. In docs/rotation.md, operators wait longer than this between steps.
	CheckInterval = 5 * time.Minute
	// retryInterval is how long to wait after a failed check.
	retryInterval = 30 * time.Second
	// checkTimeout bounds a check, because a request waits for it.
	checkTimeout = 2 * time.Second
)

// Cache has the secrets that a function was built with. It reads each secret once.
type Cache struct {
	source SecretReader
	mu     sync.Mutex
	texts  map[string]string // by ARN or name
}

// Reader returns the cache with Secrets Manager as its source.
func (c *Cache) Reader(cfg aws.Config) SecretReader {
	c.source = secretsmanager.NewFromConfig(cfg)
	return c
}

// GetSecretValue implements SecretReader.
func (c *Cache) GetSecretValue(
	ctx context.Context, in *secretsmanager.GetSecretValueInput, opts ...func(*secretsmanager.Options),
) (*secretsmanager.GetSecretValueOutput, error) {
	c.mu.Lock()
	text, known := c.texts[*in.SecretId]
	c.mu.Unlock()
	if known {
		return &secretsmanager.GetSecretValueOutput{SecretString: &text}, nil
	}
	out, err := c.source.GetSecretValue(ctx, in, opts...)
	if err == nil && out.SecretString != nil {
		c.mu.Lock()
		c.texts[*in.SecretId] = *out.SecretString
		c.mu.Unlock()
	}
	return out, err
}

// reread reads the same secrets again.
func (c *Cache) reread(ctx context.Context) (*Cache, error) {
	fresh := &Cache{source: c.source, texts: map[string]string{}}
	for id := range c.texts {
		if _, err := fresh.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id}); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// Builder builds a function. The function reads its secrets through the cache.
type Builder func(ctx context.Context, env config.Env, secrets *Cache) (lambda.Handler, error)

// reloader rebuilds a function when one of its secrets has changed, so that a rotation reaches running instances.
// Lambda may keep an instance for hours.
type reloader struct {
	build func(ctx context.Context, secrets *Cache) (lambda.Handler, error)
	now   func() time.Time

	mu      sync.Mutex
	handler lambda.Handler
	secrets *Cache
	checkAt time.Time
}

// Reloading builds a function and rebuilds it when its secrets have changed.
func Reloading(
	ctx context.Context, env config.Env, now func() time.Time, build Builder,
) (lambda.Handler, error) {
	r := &reloader{now: now, secrets: &Cache{texts: map[string]string{}}, checkAt: now().Add(CheckInterval)}
	r.build = func(ctx context.Context, secrets *Cache) (lambda.Handler, error) {
		return build(ctx, env, secrets)
	}
	var err error
	if r.handler, err = r.build(ctx, r.secrets); err != nil {
		return nil, err
	}
	return r, nil
}

// Invoke implements lambda.Handler. One invocation checks the secrets while concurrent ones, which Lambda itself
// never has, continue.
func (r *reloader) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	r.mu.Lock()
	handler, isDue := r.handler, !r.now().Before(r.checkAt)
	if isDue {
		r.checkAt = r.now().Add(retryInterval)
	}
	r.mu.Unlock()
	if isDue {
		handler = r.check(ctx)
	}
	return handler.Invoke(ctx, payload)
}

// check rebuilds the function if a secret has changed. It keeps the old secrets if
// the new ones cannot be read, or the function cannot be built with them: an
// operator's mistake must not take down a running function.
func (r *reloader) check(ctx context.Context) lambda.Handler {
	bounded, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	fresh, err := r.secrets.reread(bounded)
	changed := err == nil && !maps.Equal(fresh.texts, r.secrets.texts)
	var handler lambda.Handler
	if changed {
		handler, err = r.build(ctx, fresh)
	}
	if err != nil {
		slog.ErrorContext(ctx, "secrets not renewed", "error", err.Error())
		return r.handler
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checkAt = r.now().Add(CheckInterval)
	if changed {
		r.handler, r.secrets = handler, fresh
		slog.InfoContext(ctx, "secrets renewed")
	}
	return r.handler
}
