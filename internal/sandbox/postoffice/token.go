package postoffice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/sandbox/mailroom"
)

const (
	// tokenLife is how long an access token is valid.
	tokenLife = 12 * time.Hour
	// scopes are the scopes in Pingen's documentation.
	scopes = "letter batch email ebill webhook organisation_read user"
	// maxForm is far larger than any token request.
	maxForm = 8 << 10
)

// claims are the contents of an access token.
type claims struct {
	Expires int64  `json:"exp"`
	Scope   string `json:"scope"`
}

// token exchanges client credentials for an access token (RFC 6749, section 4.4).
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, code, text string) {
		writeJSON(w, status, map[string]string{"error": code, "error_description": text, "message": text})
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		fail(http.StatusMethodNotAllowed, "invalid_request", "The method is not allowed.")
		return
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		fail(http.StatusBadRequest, "invalid_request", "The body must be a form.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		fail(http.StatusBadRequest, "invalid_request", "The form is not valid.")
		return
	}
	form := r.PostForm
	scope := form.Get("scope")
	switch {
	case form.Get("grant_type") != "client_credentials":
		fail(http.StatusBadRequest, "unsupported_grant_type",
			"The authorization grant type is not supported by the authorization server.")
	case !mailroom.SecretsEqual(form.Get("client_id"), s.credentials.ClientID) ||
		!mailroom.SecretsEqual(form.Get("client_secret"), s.credentials.ClientSecret):
		fail(http.StatusUnauthorized, "invalid_client", "Client authentication failed")
	case slices.ContainsFunc(strings.Fields(scope), func(part string) bool { return !mailroom.OneOf(part, scopes) }):
		fail(http.StatusBadRequest, "invalid_scope", "The requested scope is invalid, unknown, or malformed")
	default:
		if scope == "" {
			scope = scopes
		}
		writeJSON(w, http.StatusOK, map[string]any{
			"token_type": "Bearer", "expires_in": int(tokenLife.Seconds()),
			"access_token": s.seal(claims{s.Now().Add(tokenLife).Unix(), scope}),
		})
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(mailroom.Encode(body))
}

// Authenticate checks the access token.
func (s *Server) Authenticate(r *http.Request) error {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	c, valid := s.unseal(token)
	if !strings.EqualFold(scheme, "Bearer") || !valid || !s.Now().Before(time.Unix(c.Expires, 0)) {
		return mailroom.NewError(http.StatusUnauthorized, "")
	}
	if !slices.Contains(strings.Fields(c.Scope), "letter") {
		return mailroom.NewError(http.StatusForbidden, "The token lacks the scope letter.")
	}
	return nil
}

func (s *Server) seal(c claims) string {
	payload := base64.RawURLEncoding.EncodeToString(mailroom.Encode(c))
	return payload + "." + s.sign("token", payload)
}

func (s *Server) unseal(token string) (claims, bool) {
	payload, signature, _ := strings.Cut(token, ".")
	var c claims
	b, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || !mailroom.SecretsEqual(signature, s.sign("token", payload)) {
		return c, false
	}
	return c, json.Unmarshal(b, &c) == nil
}

// sign signs a text for one purpose with this post office's key.
func (s *Server) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(s.credentials.ClientSecret))
	_, _ = mac.Write([]byte(purpose + "\n" + text))
	return hex.EncodeToString(mac.Sum(nil))
}

// signedPath adds an expiry time and a signature to a path.
func (s *Server) signedPath(path string, until time.Time) string {
	expires := strconv.FormatInt(until.Unix(), 10)
	return path + "?expires=" + expires + "&signature=" + s.sign("address", path+"?"+expires)
}

// verifyPath reports whether signedPath made the path and it has not expired.
func (s *Server) verifyPath(path, expires, signature string) bool {
	until, err := strconv.ParseInt(expires, 10, 64)
	return err == nil && mailroom.SecretsEqual(signature, s.sign("address", path+"?"+expires)) &&
		s.Now().Before(time.Unix(until, 0))
}
