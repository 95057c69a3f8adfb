package mailroom

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	// tokenLife is how long an access token is valid, and uploadLife how long a signed URL is.
	tokenLife  = 12 * time.Hour
	uploadLife = time.Hour
)

// token exchanges client credentials for an access token (RFC 6749, section 4.4).
func (s *PostOffice) token(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, code, text string) { // texts and numbers always marshal
		_ = layout.WriteJSON(w, status, map[string]string{"error": code, "error_description": text, "message": text})
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		fail(http.StatusMethodNotAllowed, "invalid_request", "The method is not allowed.")
		return
	}
	form, err := layout.ReadForm(w, r)
	if err != nil {
		fail(http.StatusBadRequest, "invalid_request", "The body must be a form.")
		return
	}
	switch scope := form.Get("scope"); {
	case form.Get("grant_type") != "client_credentials":
		fail(http.StatusBadRequest, "unsupported_grant_type",
			"The authorization grant type is not supported by the authorization server.")
	case !SecretsEqual(form.Get("client_id"), s.credentials.ClientID) ||
		!SecretsEqual(form.Get("client_secret"), s.credentials.ClientSecret):
		fail(http.StatusUnauthorized, "invalid_client", "Client authentication failed")
	case scope != "letter":
		fail(http.StatusBadRequest, "invalid_scope", "The requested scope is invalid, unknown, or malformed")
	default:
		_ = layout.WriteJSON(w, http.StatusOK, map[string]any{
			"token_type": "Bearer", "expires_in": int(tokenLife.Seconds()),
			"access_token": s.seal(strconv.FormatInt(s.Now().Add(tokenLife).Unix(), 10)),
		})
	}
}

// Authenticate checks the access token.
func (s *PostOffice) Authenticate(r *http.Request) error {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	expires, valid := s.unseal(token)
	if !strings.EqualFold(scheme, "Bearer") || !valid || s.isOver(expires) {
		return NewError(http.StatusUnauthorized, "")
	}
	return nil
}

func (s *PostOffice) seal(text string) string {
	payload := base64.RawURLEncoding.EncodeToString([]byte(text))
	return payload + "." + s.sign("token", payload)
}

func (s *PostOffice) unseal(token string) (expires string, valid bool) {
	payload, signature, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	return string(text), err == nil && SecretsEqual(signature, s.sign("token", payload))
}

// isOver reports whether a time in seconds has passed.
func (s *PostOffice) isOver(expires string) bool {
	until, err := strconv.ParseInt(expires, 10, 64)
	return err != nil || !s.Now().Before(time.Unix(until, 0))
}

// sign signs a text for one purpose with this post office's key.
func (s *PostOffice) sign(purpose, text string) string {
	return hmacOf(s.credentials.ClientSecret, []byte(purpose+"\n"+text))
}

func hmacOf(key string, text []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// fileUpload returns a URL to upload a file to.
func (s *PostOffice) fileUpload(r *http.Request) (Reply, error) {
	id, until := s.NewID(), s.Now().Add(uploadLife)
	path, expires := PostPath+"/uploads/"+id, strconv.FormatInt(until.Unix(), 10)
	address := s.Base(r) + path + "?expires=" + expires + "&signature=" + s.sign("address", path+"?"+expires)
	return JSON(http.StatusOK, mediaType, map[string]any{"data": map[string]any{
		"id": id, "type": "file_uploads",
		"attributes": map[string]string{"url": address, "url_signature": s.sign("upload", address),
			"expires_at": timestamp(until)},
		"links": map[string]string{"self": s.Base(r) + PostPath + "/file-upload"},
	}}), nil
}

// upload stores a file under a signed URL, with the errors of an object store.
func (s *PostOffice) upload(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, code, message string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, xml.Header+"<Error><Code>"+code+"</Code><Message>"+message+"</Message></Error>")
	}
	expires := r.URL.Query().Get("expires")
	signature := s.sign("address", r.URL.Path+"?"+expires)
	if !SecretsEqual(r.URL.Query().Get("signature"), signature) || s.isOver(expires) {
		fail(http.StatusForbidden, "AccessDenied", "The URL is not signed, or has expired.")
		return
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxDocument))
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case large:
		fail(http.StatusRequestEntityTooLarge, "EntityTooLarge", "The sandbox accepts files of at most 300 KB.")
	case err != nil:
		fail(http.StatusBadRequest, "IncompleteBody", "The body is incomplete.")
	case !LooksLikePDF(content):
		fail(http.StatusBadRequest, "InvalidRequest", "The file is not a PDF.")
	default:
		upload := Document{LetterID: r.PathValue("upload"), Content: content, Forget: s.Now().Add(uploadLife)}
		if err := s.Store.Save(r.Context(), upload); err != nil {
			s.LogFailure(r, err)
			fail(http.StatusInternalServerError, "InternalError", "Please try again.")
		}
	}
}

// uploaded returns the file at a URL from fileUpload.
func (s *PostOffice) uploaded(r *http.Request, address, signature string) (Document, error) {
	u, err := url.Parse(address)
	if err != nil || !SecretsEqual(signature, s.sign("upload", address)) {
		return Document{}, invalidLetter("file_url_signature", "The signature does not match the URL.")
	}
	id, _ := strings.CutPrefix(u.Path, PostPath+"/uploads/")
	upload, err := sandboxdb.Get(r.Context(), s.Store.Store, Document{LetterID: id})
	if errors.Is(err, outcome.ErrNotFound) {
		return upload, invalidLetter("file_url", "No file was uploaded to the URL.")
	}
	if err != nil {
		return upload, fmt.Errorf("read upload: %w", err)
	}
	return upload, nil
}
