package identity

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Registrar lets the operator create and change partners. One of two concurrent changes is refused, so that neither
// silently undoes the other.
type Registrar struct {
	store     PartnerStore
	now       func() time.Time
	newSecret func() string
}

// NewRegistrar wires the service. newSecret returns 256 random bits as text.
func NewRegistrar(store PartnerStore, now func() time.Time, newSecret func() string) *Registrar {
	return &Registrar{store: store, now: now, newSecret: newSecret}
}

const (
	// MaxGrace is the longest time that the previous secret can stay valid.
	MaxGrace = 30 * 24 * time.Hour
	// maxPartnerName counts characters.
	maxPartnerName = 100
	maxReturnURLs  = 50
)

// Create creates a partner. Only this call returns its client secret.
func (r *Registrar) Create(ctx context.Context, p Partner) (Partner, string, error) {
	secret := r.newSecret()
	p.Scopes = slices.Compact(slices.Sorted(slices.Values(p.Scopes)))
	p.Secrets, p.Disabled, p.Version = []ClientSecret{newClientSecret(secret, r.now())}, false, 0
	var f faults
	f.require(isPartnerID(p.ID), "/id", partnerIDRule+".")
	f.requireName("/name", p.Name)
	if p.DisplayName != "" {
		f.requireName("/displayName", p.DisplayName)
	}
	isUnknown := func(s string) bool { return !slices.Contains(Scopes(), s) }
	f.require(len(p.Scopes) > 0 && !slices.ContainsFunc(p.Scopes, isUnknown),
		"/scopes", "One or more of "+strings.Join(Scopes(), ", ")+".")
	f.requireReturnURLs(p.ReturnURLs)
	f.requireAlertEmail(p.AlertEmail)
	if err := f.refusal("partner is"); err != nil {
		return Partner{}, "", err
	}
	err := r.store.CreatePartner(ctx, p)
	if errors.Is(err, outcome.ErrChanged) {
		return Partner{}, "", apierror.New(apierror.Conflict, "There is already a partner with this ID.")
	}
	if err != nil {
		return Partner{}, "", fmt.Errorf("create partner: %w", err)
	}
	return p, secret, nil
}

// Get returns a partner.
func (r *Registrar) Get(ctx context.Context, id owner.PartnerID) (Partner, error) {
	if len(id) > maxPartnerID { // DynamoDB limits the length of keys
		return Partner{}, errPartnerNotFound()
	}
	p, err := r.store.Partner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Partner{}, errPartnerNotFound()
	}
	if err != nil {
		return Partner{}, fmt.Errorf("read partner: %w", err)
	}
	return p, nil
}

// RotateSecret creates and returns a new client secret; no later call returns it. The previous secret stays valid for
// the grace period, and all older ones expire at once. So at most two are valid.
func (r *Registrar) RotateSecret(
	ctx context.Context, id owner.PartnerID, grace time.Duration,
) (Partner, string, error) {
	if grace < 0 || grace > MaxGrace {
		return Partner{}, "", apierror.New(apierror.ValidationFailed,
			fmt.Sprintf("The grace period must be 0 to %d hours.", MaxGrace/time.Hour))
	}
	secret := r.newSecret()
	p, err := r.change(ctx, id, func(p *Partner) error {
		p.rotate(secret, grace, r.now().UTC().Truncate(time.Second))
		return nil
	})
	if err != nil {
		return Partner{}, "", err
	}
	return p, secret, nil
}

// rotate adds a secret. Secrets are ordered from oldest to newest.
func (p *Partner) rotate(secret string, grace time.Duration, now time.Time) {
	var valid []ClientSecret
	if n := len(p.Secrets); n > 0 {
		previous, end := p.Secrets[n-1], now.Add(grace)
		if previous.ExpiresAt.IsZero() || end.Before(previous.ExpiresAt) {
			previous.ExpiresAt = end
		}
		if previous.ValidAt(now) {
			valid = append(valid, previous)
		}
	}
	p.Secrets = slices.Concat(valid, []ClientSecret{newClientSecret(secret, now)})
}

func newClientSecret(secret string, now time.Time) ClientSecret {
	return ClientSecret{Hash: HashSecret(secret), CreatedAt: clock.Real(now.UTC().Truncate(time.Second))}
}

// RevokeSecret ends the grace period of an old secret. The newest secret cannot be revoked: once the other one
// expires, the partner could not sign in.
func (r *Registrar) RevokeSecret(ctx context.Context, id owner.PartnerID, digest string) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		now := r.now()
		at := slices.IndexFunc(p.Secrets, func(s ClientSecret) bool { return s.Digest() == digest && s.ValidAt(now) })
		switch {
		case at < 0:
			return apierror.New(apierror.NotFound, "There is no valid secret with this digest.")
		case p.Secrets[at].ExpiresAt.IsZero():
			return apierror.New(apierror.Conflict,
				"This is the newest secret. To revoke it, create another one without a grace period.")
		}
		p.Secrets = slices.Delete(slices.Clone(p.Secrets), at, at+1)
		return nil
	})
}

// Authenticate returns the partner with this ID and secret, or ErrInvalidClient. With ErrDisabled it also returns the
// partner.
func (r *Registrar) Authenticate(ctx context.Context, id owner.PartnerID, secret string) (Partner, error) {
	return authenticate(ctx, r.store, id, secret, r.now())
}

// SetDisabled disables or enables a partner. All instances notice within a minute.
func (r *Registrar) SetDisabled(ctx context.Context, id owner.PartnerID, disabled bool) (Partner, error) {
	return r.changeBy(ctx, r.store.SwitchPartner, id, func(p *Partner) error {
		p.Disabled = disabled
		return nil
	})
}

// SetDisplayName changes the name that users see. If it is empty, they see Name.
func (r *Registrar) SetDisplayName(ctx context.Context, id owner.PartnerID, name string) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.DisplayName = name
		var f faults
		f.requireName("/displayName", p.PublicName())
		return f.refusal("display name is")
	})
}

// SetReturnURLs replaces all of the partner's return URLs.
func (r *Registrar) SetReturnURLs(ctx context.Context, id owner.PartnerID, urls []string) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.ReturnURLs = urls
		var f faults
		f.requireReturnURLs(urls)
		return f.refusal("return URLs are")
	})
}

// SetHistoryDays changes how far back accounts are read that are connected from now on; 0 for as far as banks give.
func (r *Registrar) SetHistoryDays(ctx context.Context, id owner.PartnerID, days int) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.HistoryDays = days
		var f faults
		f.require(days >= 0 && days <= 3650, "/historyDays", "A whole number from 0 to 3650.")
		return f.refusal("number is")
	})
}

// SetAlertEmail changes the partner's alert address. With an empty address, the partner gets no alerts.
func (r *Registrar) SetAlertEmail(ctx context.Context, id owner.PartnerID, address string) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.AlertEmail = address
		var f faults
		f.requireAlertEmail(address)
		return f.refusal("address is")
	})
}

// change reads, changes and saves a partner. It does not retry after a concurrent change: the operator must look at
// that change first.
func (r *Registrar) change(ctx context.Context, id owner.PartnerID, do func(*Partner) error) (Partner, error) {
	return r.changeBy(ctx, r.store.SavePartner, id, do)
}

func (r *Registrar) changeBy(
	ctx context.Context, save func(context.Context, Partner) error, id owner.PartnerID, do func(*Partner) error,
) (Partner, error) {
	p, err := r.Get(ctx, id)
	if err != nil {
		return Partner{}, err
	}
	if err := do(&p); err != nil {
		return Partner{}, err
	}
	err = save(ctx, p)
	if errors.Is(err, outcome.ErrChanged) {
		return Partner{}, apierror.New(apierror.Conflict,
			"Somebody else changed the partner at the same time. Nothing was written.")
	}
	if err != nil {
		return Partner{}, fmt.Errorf("save partner: %w", err)
	}
	return p, nil
}

func errPartnerNotFound() error {
	return apierror.New(apierror.NotFound, "There is no partner with this ID.")
}

// requireName adds a fault unless a partner's name is one line of visible text.
func (f *faults) requireName(pointer, name string) {
	n := utf8.RuneCountInString(name)
	isLine := strings.TrimSpace(name) == name && !strings.ContainsFunc(name, unicode.IsControl)
	f.require(n > 0 && n <= maxPartnerName && isLine, pointer,
		fmt.Sprintf("One line of 1 to %d characters.", maxPartnerName))
}

func (f *faults) requireReturnURLs(urls []string) {
	if len(urls) > maxReturnURLs {
		f.require(false, "/returnUrls", fmt.Sprintf("At most %d.", maxReturnURLs))
		return
	}
	for i, u := range urls {
		if _, err := parseReturnURL(u); err != nil {
			f.require(false, fmt.Sprintf("/returnUrls/%d", i), "The URL is refused: "+err.Error()+".")
		}
	}
}

// plainAddress matches an e-mail address that every mail server accepts: in ASCII, without quotes. It is compiled on
// each use, because only operator commands need it and most functions link this package.
func plainAddress() *regexp.Regexp {
	return regexp.MustCompile(
		`^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`)
}

// The maximum lengths of an address and of its local part (RFC 5321, 4.5.3.1).
const maxAddress, maxLocalPart = 254, 64

func (f *faults) requireAlertEmail(address string) {
	isPlain := plainAddress().MatchString(address) && len(address) <= maxAddress &&
		strings.IndexByte(address, '@') <= maxLocalPart
	f.require(address == "" || isPlain, "/alertEmail", "One plain e-mail address, such as on-call@partner.example.")
}
