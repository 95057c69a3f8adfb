package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Scopes returns all scopes that a partner can have.
func Scopes() []string { return []string{"identity", "pfm", "cancellation", "webhook"} }

// Partner is a company that calls the service.
type Partner struct {
	ID owner.PartnerID `dynamodbav:"id"`
	// Name is the operator's name for the partner.
	Name string `dynamodbav:"name"`
	// DisplayName is the name that users see; empty if it is the same as Name.
	DisplayName string `dynamodbav:"displayName,omitempty"`
	// Scopes is the subset of Scopes() that the partner may request.
	Scopes  []string       `dynamodbav:"scopes"`
	Secrets []ClientSecret `dynamodbav:"secrets"`
	// HistoryDays is how far back users' accounts are read at first; 0 for as far as banks give.
	HistoryDays int `dynamodbav:"historyDays,omitempty"`
	// ReturnURLs are the URLs to which the partner's users may return. Scheme, host and port must match exactly; the
	// path matches as a prefix of whole segments.
	ReturnURLs []string `dynamodbav:"returnUrls"`
	// AlertEmail gets a mail when one of the partner's receivers fails; empty for none.
	AlertEmail string `dynamodbav:"alertEmail,omitempty"`
	Disabled   bool   `dynamodbav:"disabled"`
	Version    int64  `dynamodbav:"version"`
}

// PublicName returns the name that users see.
func (p Partner) PublicName() string { return cmp.Or(p.DisplayName, p.Name) }

// Addressee has the data with which a page addresses a user: the user's language and the partner's name. Each is
// empty if it is unknown.
type Addressee struct{ LanguageCode, PartnerName string }

// ClientSecret is a stored client secret. During a rotation, two are valid.
type ClientSecret struct {
	Hash      string     `dynamodbav:"hash"`
	CreatedAt clock.Real `dynamodbav:"createdAt"`
	// ExpiresAt is zero for a secret that does not expire.
	ExpiresAt time.Time `dynamodbav:"expiresAt,omitempty"`
}

// Digest returns the first digits of the hash, so that people can tell secrets apart.
func (s ClientSecret) Digest() string { return s.Hash[:min(len(s.Hash), digestLength)] }

// ValidAt reports whether the secret has not expired.
func (s ClientSecret) ValidAt(now time.Time) bool {
	return s.ExpiresAt.IsZero() || now.Before(s.ExpiresAt)
}

// HashSecret returns the hash under which a client secret is stored. Plain SHA-256 is enough: nobody can guess 256
// random bits, so a slow hash adds nothing.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// authenticates reports whether secret is one of the partner's valid secrets. It
// compares every secret in constant time.
func (p Partner) authenticates(secret string, now time.Time) bool {
	given := HashSecret(secret)
	ok := 0
	for _, s := range p.Secrets {
		same := subtle.ConstantTimeCompare([]byte(given), []byte(s.Hash))
		if s.ValidAt(now) {
			ok |= same
		}
	}
	return ok == 1
}

// authenticate returns the partner with this ID and secret, or ErrInvalidClient. With ErrDisabled it also returns the
// partner.
func authenticate(
	ctx context.Context, store PartnerReader, id owner.PartnerID, secret string, now time.Time,
) (Partner, error) {
	if len(id) > maxPartnerID { // DynamoDB limits the length of keys
		return Partner{}, ErrInvalidClient
	}
	p, err := store.Partner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Partner{}, ErrInvalidClient
	}
	if err != nil {
		return Partner{}, fmt.Errorf("read partner: %w", err)
	}
	if !p.authenticates(secret, now) {
		return Partner{}, ErrInvalidClient
	}
	if p.Disabled {
		return p, ErrDisabled
	}
	return p, nil
}

// Partners looks up the return URLs of partners.
type Partners struct{ store PartnerReader }

// NewPartners wires the service.
func NewPartners(store PartnerReader) *Partners { return &Partners{store: store} }

const (
	// maxPartnerID keeps keys within DynamoDB's limit.
	maxPartnerID    = 64
	digestLength    = 8
	plainCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	partnerIDRule   = "1 to 64 lower-case letters, digits and hyphens"
)

func isPartnerID(id owner.PartnerID) bool {
	return id != "" && len(id) <= maxPartnerID && strings.Trim(string(id), plainCharacters) == ""
}

// ReturnURL returns the URL to which the partner's users return: wanted if it is registered, or the first registered
// URL if wanted is empty. If there is no such URL, it returns "" and the registered URLs.
func (s *Partners) ReturnURL(
	ctx context.Context, id owner.PartnerID, wanted string,
) (owner.Destination, error) {
	p, err := s.store.Partner(ctx, id)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return owner.Destination{}, err
	}
	if wanted == "" && len(p.ReturnURLs) > 0 {
		wanted = p.ReturnURLs[0]
	}
	if !p.mayReturnTo(wanted) {
		return owner.Destination{Registered: p.ReturnURLs}, nil
	}
	return owner.Destination{To: wanted, HistoryDays: p.HistoryDays}, nil
}

// mayReturnTo reports whether target matches one of the return URLs. It is false for a
// malformed target.
func (p Partner) mayReturnTo(target string) bool {
	to, err := parseReturnURL(target)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(p.ReturnURLs, func(r string) bool {
		registered, err := parseReturnURL(r)
		return err == nil && registered.covers(to)
	})
}

// returnURL is the parsed URL of a redirect.
type returnURL struct{ scheme, host, port, path string }

func parseReturnURL(s string) (returnURL, error) {
	// Browsers treat a backslash as a slash and drop control characters; Go does not. We reject any URL that two
	// parsers could read differently.
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return returnURL{}, errors.New("it contains a character that is not allowed in a URL")
	}
	u, err := url.Parse(s)
	if err != nil {
		return returnURL{}, errors.New("it is not a URL")
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return returnURL{}, errors.New("it is not an absolute http or https URL")
	}
	if strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r >= 0x7f }) { // the URL had it escaped
		return returnURL{}, errors.New("its host is not ASCII")
	}
	if u.User != nil || u.Fragment != "" {
		return returnURL{}, errors.New("it contains user information or a fragment")
	}
	port := u.Port()
	port = cmp.Or(port, map[string]string{"http": "80", "https": "443"}[u.Scheme])
	p := u.EscapedPath()
	p = cmp.Or(p, "/")
	lower := strings.ToLower(p)
	escaped := strings.Contains(lower, "%2e") || strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c")
	if escaped || strings.TrimSuffix(p, "/") != strings.TrimSuffix(path.Clean(p), "/") {
		return returnURL{}, errors.New("its path contains dot segments, double slashes, or escaped dots or slashes")
	}
	return returnURL{scheme: u.Scheme, host: strings.ToLower(u.Hostname()), port: port, path: p}, nil
}

// covers reports whether to is at or below the registered URL.
func (r returnURL) covers(to returnURL) bool {
	if r.scheme != to.scheme || r.host != to.host || r.port != to.port {
		return false
	}
	prefix := strings.TrimSuffix(r.path, "/")
	return to.path == prefix || to.path == r.path || strings.HasPrefix(to.path, prefix+"/")
}
