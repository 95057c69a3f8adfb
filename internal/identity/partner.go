package identity

import (
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

	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Scopes are all that a partner can be given.
func Scopes() []string { return []string{"identity", "pfm", "cancellation", "webhook"} }

// Partner is a company that calls the service.
type Partner struct {
	ID   owner.PartnerID
	Name string
	// Scopes is the subset of Scopes() it may ask for.
	Scopes  []string
	Secrets []ClientSecret
	// ReturnURLs are where its users may be sent back to: scheme, host and port
	// exactly, the path as a prefix of whole segments.
	ReturnURLs []string
	Disabled   bool
	Version    int64
}

// ClientSecret is a client secret as kept. Two hold while one replaces the
// other.
type ClientSecret struct {
	Hash string
	// ExpiresAt is zero for a secret without an end.
	ExpiresAt time.Time
}

// HoldsAt tells whether the secret has not ended.
func (s ClientSecret) HoldsAt(now time.Time) bool {
	return s.ExpiresAt.IsZero() || now.Before(s.ExpiresAt)
}

// HashSecret is how a client secret is kept. A plain SHA-256 is enough for 256
// random bits: there is nothing to guess, so nothing to slow down.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// authenticates tells whether secret is one of the partner's that hold now.
// Every secret is compared, in constant time.
func (p Partner) authenticates(secret string, now time.Time) bool {
	given := HashSecret(secret)
	ok := 0
	for _, s := range p.Secrets {
		same := subtle.ConstantTimeCompare([]byte(given), []byte(s.Hash))
		if s.HoldsAt(now) {
			ok |= same
		}
	}
	return ok == 1 && !p.Disabled
}

// Partners tells what a partner has registered.
type Partners struct{ store Store }

// NewPartners reads from store.
func NewPartners(store Store) *Partners { return &Partners{store: store} }

const (
	// maxPartnerID keeps keys within what a table takes.
	maxPartnerID    = 64
	plainCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	partnerIDRule   = "1 to 64 lower-case letters, digits and hyphens"
)

func wellFormed(id owner.PartnerID) bool {
	return id != "" && len(id) <= maxPartnerID && strings.Trim(string(id), plainCharacters) == ""
}

// Register creates or replaces a partner after checking what is said of it. Its
// id becomes a part of keys and of HTTP Basic credentials, so that it is plain.
func (s *Partners) Register(ctx context.Context, p Partner) error {
	if !wellFormed(p.ID) {
		return errors.New("register partner: its id must be " + partnerIDRule)
	}
	for _, scope := range p.Scopes {
		if !slices.Contains(Scopes(), scope) {
			return fmt.Errorf("register partner %s: there is no scope %s", p.ID, scope)
		}
	}
	for _, u := range p.ReturnURLs {
		if _, err := parseReturnURL(u); err != nil {
			return fmt.Errorf("register partner %s: return URL: %w", p.ID, err)
		}
	}
	return s.store.PutPartner(ctx, p)
}

// ReturnURLAllowed tells whether the partner's users may be sent to target.
func (s *Partners) ReturnURLAllowed(ctx context.Context, id owner.PartnerID, target string) (bool, error) {
	p, err := s.store.Partner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return p.mayReturnTo(target), nil
}

// mayReturnTo is false for what is no return URL at all, too.
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

// returnURL is an address that a browser is sent to.
type returnURL struct{ scheme, host, port, path string }

func parseReturnURL(s string) (returnURL, error) {
	// Browsers read a backslash as a slash and drop control characters; Go does
	// not. What two parsers read differently is refused.
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return returnURL{}, errors.New("it holds a character that does not belong in a URL")
	}
	u, err := url.Parse(s)
	if err != nil {
		return returnURL{}, errors.New("it is not a URL")
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return returnURL{}, errors.New("it is not an absolute http or https URL")
	}
	if u.User != nil || u.Fragment != "" {
		return returnURL{}, errors.New("it holds user information or a fragment")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	p := u.EscapedPath()
	if p == "" {
		p = "/"
	}
	if lower := strings.ToLower(p); strings.Contains(lower, "%2e") || strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") ||
		strings.TrimSuffix(p, "/") != strings.TrimSuffix(path.Clean(p), "/") {
		return returnURL{}, errors.New("its path holds dots, doubled or disguised slashes")
	}
	return returnURL{scheme: u.Scheme, host: strings.ToLower(u.Hostname()), port: port, path: p}, nil
}

// covers tells whether to lies under the registered address.
func (r returnURL) covers(to returnURL) bool {
	if r.scheme != to.scheme || r.host != to.host || r.port != to.port {
		return false
	}
	prefix := strings.TrimSuffix(r.path, "/")
	return to.path == prefix || to.path == r.path || strings.HasPrefix(to.path, prefix+"/")
}
