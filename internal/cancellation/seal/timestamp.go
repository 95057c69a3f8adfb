package seal

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/digitorus/timestamp"
)

const (
	// timeout limits a call, because the caller waits for it.
	timeout = 5 * time.Second
	// maxReply limits a reply, which has a few certificates.
	maxReply = 64 << 10
)

// Stamp returns a reply of the time-stamping authority at a URL, which proves when content existed. The reply has the
// authority's certificates.
func Stamp(ctx context.Context, url string, content []byte) ([]byte, error) {
	sum := sha256.Sum256(content)
	query, err := (&timestamp.Request{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Certificates: true}).Marshal()
	if err != nil {
		return nil, fmt.Errorf("write time-stamp query: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return nil, fmt.Errorf("call time-stamp authority: %w", err)
	}
	req.Header.Set("Content-Type", "application/timestamp-query")
	res, err := (&http.Client{Timeout: timeout}).Do(req)
	if err != nil {
		return nil, fmt.Errorf("call time-stamp authority: %w", err)
	}
	defer res.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("read time stamp: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("call time-stamp authority: HTTP %d", res.StatusCode)
	}
	stamp, err := timestamp.ParseResponse(reply)
	if err != nil {
		return nil, fmt.Errorf("read time stamp: %w", err)
	}
	if !bytes.Equal(stamp.HashedMessage, sum[:]) || len(stamp.Certificates) == 0 {
		return nil, errors.New("read time stamp: it is of something else, or has no certificate")
	}
	return bare(stamp.RawToken)
}

// bare returns a reply with only the token. An authority may add a text to its reply, which no signature covers.
func bare(token []byte) ([]byte, error) {
	reply, err := asn1.Marshal(struct {
		Status struct{ Status int }
		Token  asn1.RawValue
	}{Token: asn1.RawValue{FullBytes: token}})
	if err != nil {
		return nil, fmt.Errorf("write time stamp: %w", err)
	}
	return reply, nil
}
