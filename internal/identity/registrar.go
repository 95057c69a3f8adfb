package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"aviso/internal/apierror"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Registrar is how the operator admits partners and changes what holds for them.
// Of two changes at once one is refused, so that none undoes another unseen.
type Registrar struct {
	store     Store
	now       func() time.Time
	newSecret func() string
}

// NewRegistrar wires the service. newSecret makes 256 random bits in text.
func NewRegistrar(store Store, now func() time.Time, newSecret func() string) *Registrar {
	return &Registrar{store: store, now: now, newSecret: newSecret}
}

const (
	// MaxGrace is the longest that a former secret goes on to hold.
	MaxGrace = 30 * 24 * time.Hour
	// maxPartnerName is in characters, maxReturnURLs in number.
	maxPartnerName = 100
	maxReturnURLs  = 50
)

// Create admits a new partner, and gives its client secret this once.
func (r *Registrar) Create(ctx context.Context, p Partner) (Partner, string, error) {
	secret := r.newSecret()
	p.Scopes = slices.Compact(slices.Sorted(slices.Values(p.Scopes)))
	p.Secrets, p.Disabled, p.Version = []ClientSecret{{Hash: HashSecret(secret)}}, false, 0
	if faults := slices.Concat(p.checkName(), p.checkScopes(), p.checkReturnURLs()); len(faults) > 0 {
		return Partner{}, "", apierror.WithFields(apierror.ValidationFailed, "The partner is not valid.", faults...)
	}
	err := r.store.CreatePartner(ctx, p)
	if errors.Is(err, outcome.ErrChanged) {
		return Partner{}, "", apierror.New(apierror.Conflict, "There is a partner of this id already.")
	}
	if err != nil {
		return Partner{}, "", fmt.Errorf("create partner: %w", err)
	}
	return p, secret, nil
}

// Get is a partner as it stands.
func (r *Registrar) Get(ctx context.Context, id owner.PartnerID) (Partner, error) {
	if len(id) > maxPartnerID { // no table takes a key of any length
		return Partner{}, errNoPartner()
	}
	p, err := r.store.Partner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Partner{}, errNoPartner()
	}
	if err != nil {
		return Partner{}, fmt.Errorf("read partner: %w", err)
	}
	return p, nil
}

// RotateSecret gives the partner a new client secret, this once. The one before
// goes on to hold for the grace; any older one ends at once, so that two hold at
// most.
func (r *Registrar) RotateSecret(ctx context.Context, id owner.PartnerID, grace time.Duration) (Partner, string, error) {
	if grace < 0 || grace > MaxGrace {
		return Partner{}, "", apierror.New(apierror.ValidationFailed, fmt.Sprintf("The grace is from 0 to %d hours.", MaxGrace/time.Hour))
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

// rotate adds a secret. Secrets are in the order of their making.
func (p *Partner) rotate(secret string, grace time.Duration, now time.Time) {
	var holding []ClientSecret
	if n := len(p.Secrets); n > 0 {
		former, end := p.Secrets[n-1], now.Add(grace)
		if former.ExpiresAt.IsZero() || end.Before(former.ExpiresAt) {
			former.ExpiresAt = end
		}
		if former.HoldsAt(now) {
			holding = append(holding, former)
		}
	}
	holding = append(holding, ClientSecret{Hash: HashSecret(secret)})
	p.Secrets = holding
}

// SetDisabled shuts a partner out, or lets it in again. Tokens that it has go on
// for an hour at most.
func (r *Registrar) SetDisabled(ctx context.Context, id owner.PartnerID, disabled bool) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.Disabled = disabled
		return nil
	})
}

// SetReturnURLs replaces all of the partner's return URLs.
func (r *Registrar) SetReturnURLs(ctx context.Context, id owner.PartnerID, urls []string) (Partner, error) {
	return r.change(ctx, id, func(p *Partner) error {
		p.ReturnURLs = urls
		if faults := p.checkReturnURLs(); len(faults) > 0 {
			return apierror.WithFields(apierror.ValidationFailed, "The return URLs are not valid.", faults...)
		}
		return nil
	})
}

// change reads, changes and saves a partner. It does not try again when another
// change came between: whoever asked has to look first what it was.
func (r *Registrar) change(ctx context.Context, id owner.PartnerID, do func(*Partner) error) (Partner, error) {
	p, err := r.Get(ctx, id)
	if err != nil {
		return Partner{}, err
	}
	if err := do(&p); err != nil {
		return Partner{}, err
	}
	err = r.store.SavePartner(ctx, p)
	if errors.Is(err, outcome.ErrChanged) {
		return Partner{}, apierror.New(apierror.Conflict, "Somebody else has changed the partner meanwhile, and nothing was written.")
	}
	if err != nil {
		return Partner{}, fmt.Errorf("save partner: %w", err)
	}
	return p, nil
}

func errNoPartner() error { return apierror.New(apierror.NotFound, "There is no partner of this id.") }

// checkName says what is wrong with id and name.
func (p Partner) checkName() []apierror.Field {
	var faults []apierror.Field
	if !wellFormed(p.ID) {
		faults = append(faults, apierror.Field{Pointer: "/id", Code: "invalid", Detail: partnerIDRule + "."})
	}
	if n := utf8.RuneCountInString(p.Name); n == 0 || n > maxPartnerName || strings.TrimSpace(p.Name) != p.Name || strings.ContainsFunc(p.Name, unicode.IsControl) {
		faults = append(faults, apierror.Field{Pointer: "/name", Code: "invalid", Detail: fmt.Sprintf("One line of 1 to %d characters.", maxPartnerName)})
	}
	return faults
}

func (p Partner) checkScopes() []apierror.Field {
	if len(p.Scopes) == 0 || slices.ContainsFunc(p.Scopes, func(s string) bool { return !slices.Contains(Scopes(), s) }) {
		return []apierror.Field{{Pointer: "/scopes", Code: "invalid", Detail: "One or more of " + strings.Join(Scopes(), ", ") + "."}}
	}
	return nil
}

func (p Partner) checkReturnURLs() []apierror.Field {
	if len(p.ReturnURLs) > maxReturnURLs {
		return []apierror.Field{{Pointer: "/returnUrls", Code: "invalid", Detail: fmt.Sprintf("At most %d.", maxReturnURLs)}}
	}
	var faults []apierror.Field
	for i, u := range p.ReturnURLs {
		if _, err := parseReturnURL(u); err != nil {
			faults = append(faults, apierror.Field{Pointer: fmt.Sprintf("/returnUrls/%d", i), Code: "invalid", Detail: "The URL is refused: " + err.Error() + "."})
		}
	}
	return faults
}
