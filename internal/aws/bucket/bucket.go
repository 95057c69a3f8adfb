// Package bucket reads and deletes objects in S3. The SDK's client would add 3 MB to a function for two calls.
package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"aviso/internal/outcome"
)

// timeout bounds a call.
const timeout = 20 * time.Second

// Bucket is a bucket in the region of its configuration. Without a name, it has no objects.
type Bucket struct {
	Config aws.Config
	Name   string
	Now    func() time.Time
	// URL replaces the bucket's address at AWS, for tests.
	URL string
}

// Get returns an object, at most limit bytes of it. It returns outcome.ErrNotFound if there is none.
func (b Bucket) Get(ctx context.Context, key string, limit int64) (content []byte, err error) {
	if b.Name == "" && b.URL == "" {
		return nil, outcome.ErrNotFound
	}
	err = b.call(ctx, http.MethodGet, key, func(body io.Reader) error {
		content, err = io.ReadAll(io.LimitReader(body, limit))
		return err
	})
	return content, err
}

// Delete deletes an object. It succeeds if there is none.
func (b Bucket) Delete(ctx context.Context, key string) error {
	return b.call(ctx, http.MethodDelete, key, func(io.Reader) error { return nil })
}

func (b Bucket) call(ctx context.Context, method, key string, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	base := b.URL
	if base == "" {
		base = "https://" + b.Name + ".s3." + b.Config.Region + ".amazonaws.com"
	}
	path := (&url.URL{Path: key}).EscapedPath()
	req, err := http.NewRequestWithContext(ctx, method, base+"/"+strings.TrimPrefix(path, "/"), http.NoBody)
	if err != nil {
		return fmt.Errorf("%s object: %w", method, err)
	}
	credentials, err := b.Config.Credentials.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("%s object: %w", method, err)
	}
	empty := sha256.Sum256(nil)
	hash := hex.EncodeToString(empty[:])
	req.Header.Set("X-Amz-Content-Sha256", hash)
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true })
	if err := signer.SignHTTP(ctx, credentials, req, hash, "s3", b.Config.Region, b.Now()); err != nil {
		return fmt.Errorf("%s object: %w", method, err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%s object: %w", method, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s object: %w", method, outcome.ErrNotFound)
	case res.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("%s object: status %d", method, res.StatusCode)
	}
	return read(res.Body)
}
