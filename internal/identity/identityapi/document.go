package identityapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // of the document
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"sync"

	"aviso/internal/api"
)

// compressedDocument is docs/openapi.yaml. It is linked compressed, at a twentieth of its size, and read only on
// request. Compressing it at the first request would take 70 ms and make the binary 0.9 MB larger.
//
//go:embed openapi.yaml.gz
var compressedDocument []byte

const documentMedia = "application/yaml" // RFC 9512

// registerDocument serves docs/openapi.yaml, compressed for clients that accept that.
func registerDocument(r *api.Router) {
	plain := sync.OnceValues(func() ([]byte, error) {
		reader, err := gzip.NewReader(bytes.NewReader(compressedDocument))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(reader)
	})
	version := sync.OnceValue(func() string {
		sum := sha256.Sum256(compressedDocument)
		return hex.EncodeToString(sum[:8])
	})
	r.Raw(api.Operation{ID: "getDocument", Method: http.MethodGet, Path: "/openapi.yaml"}, func(w http.ResponseWriter, req *http.Request) {
		body, etag, encoding := compressedDocument, `"`+version()+`-gzip"`, "gzip"
		if !acceptsGzip(req) {
			text, err := plain()
			if err != nil {
				api.WriteProblem(w, req, err)
				return
			}
			body, etag, encoding = text, `"`+version()+`"`, ""
		}
		h := w.Header()
		h.Set("Cache-Control", cachePublic)
		h.Set("ETag", etag)
		h.Set("Vary", "Accept-Encoding")
		if isNoneMatch(req, etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", documentMedia)
		if encoding != "" {
			h.Set("Content-Encoding", encoding)
		}
		_, _ = w.Write(body)
	})
}

// acceptsGzip reports whether the client accepts gzip (RFC 9110, section 12.5.3).
func acceptsGzip(req *http.Request) bool {
	for coding := range strings.SplitSeq(strings.Join(req.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			refused := weight != "" && strings.Trim(weight, "q=0.") == ""
			return !refused
		}
	}
	return false
}

// isNoneMatch reports whether the client already has this representation (RFC 9110, section 13.1.2).
func isNoneMatch(req *http.Request, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(req.Header.Values("If-None-Match"), ","), ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
			return true
		}
	}
	return false
}
