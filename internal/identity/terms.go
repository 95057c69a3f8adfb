package identity

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// TermsType identifies a set of terms and conditions.
type TermsType string

// The terms that flows require.
const (
	TermsOperator             TermsType = "Operator"
	TermsBankingSupplier      TermsType = "BankingSupplier"
	TermsCancellationProvider TermsType = "CancellationProvider"
)

// TermsTypes returns all types of terms in the order in which they are listed.
func TermsTypes() []TermsType {
	return []TermsType{TermsOperator, TermsBankingSupplier, TermsCancellationProvider}
}

// Terms is the version of a document that is in force.
type Terms struct {
	Type    TermsType
	Version string
	URL     string
}

// Acceptance is a user's consent to one version.
type Acceptance struct {
	Type       TermsType
	Version    string
	AcceptedAt time.Time
}

// Agreements manages the terms in force and their acceptance by users.
type Agreements struct {
	store Store
	now   func() time.Time
}

// NewAgreements wires the service.
func NewAgreements(store Store, now func() time.Time) *Agreements {
	return &Agreements{store: store, now: now}
}

// Published returns the documents in force.
func (s *Agreements) Published(ctx context.Context) ([]Terms, error) { return s.store.Terms(ctx) }

// Publish puts a version in force. Users who accepted another version must accept
// again.
func (s *Agreements) Publish(ctx context.Context, t Terms) error {
	var faults []apierror.Field
	if !slices.Contains(TermsTypes(), t.Type) {
		faults = append(faults, apierror.Field{
			Pointer: "/termsType", Code: "invalid",
			Detail: fmt.Sprintf("One of %s, %s and %s.",
				TermsOperator, TermsBankingSupplier, TermsCancellationProvider),
		})
	}
	if len(t.Version) > maxTermsVersion || !termsVersion.MatchString(t.Version) {
		faults = append(faults, apierror.Field{
			Pointer: "/version", Code: "invalid", Detail: "1 to 40 visible ASCII characters, without spaces.",
		})
	}
	u, err := url.Parse(t.URL)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(t.URL) > maxTermsURL {
		faults = append(faults, apierror.Field{
			Pointer: "/url", Code: "invalid", Detail: "An absolute https URL without user information.",
		})
	}
	if len(faults) > 0 {
		return apierror.WithFields(apierror.ValidationFailed, "The terms are not valid.", faults...)
	}
	if err := s.store.PublishTerms(ctx, t); err != nil {
		return fmt.Errorf("publish terms: %w", err)
	}
	return nil
}

const maxTermsURL, maxTermsVersion = 500, 40

var termsVersion = regexp.MustCompile(`^[[:graph:]]+$`)

// Accept records that the user accepts the version in force.
func (s *Agreements) Accept(ctx context.Context, user owner.User, t TermsType, version string) (Acceptance, error) {
	u, published, err := s.userWithTerms(ctx, user)
	if err != nil {
		return Acceptance{}, err
	}
	if !slices.ContainsFunc(published, func(p Terms) bool { return p.Type == t && p.Version == version }) {
		return Acceptance{}, apierror.WithFields(
			apierror.ValidationFailed, "Only the version in force can be accepted.",
			apierror.Field{
				Pointer: "/version", Code: "not_in_force",
				Detail: "GET /identity/v1/terms lists the versions in force.",
			})
	}
	if a, ok := u.acceptance(t, version); ok {
		return a, nil
	}
	a := Acceptance{Type: t, Version: version, AcceptedAt: clock.Read(s.now)}
	err = s.store.Accept(ctx, user, a)
	if !errors.Is(err, outcome.ErrChanged) {
		return a, err
	}
	// Either a concurrent call accepted the version, or the user was erased.
	u, err = s.store.User(ctx, user)
	if first, ok := u.acceptance(t, version); ok {
		return first, nil
	}
	if err == nil || errors.Is(err, outcome.ErrNotFound) {
		err = errUserNotFound()
	}
	return Acceptance{}, err
}

// List returns all acceptances of the user, oldest first.
func (s *Agreements) List(ctx context.Context, user owner.User) ([]Acceptance, error) {
	u, _, err := s.userWithTerms(ctx, user)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(u.Acceptances, func(a, b Acceptance) int { return a.AcceptedAt.Compare(b.AcceptedAt) })
	return u.Acceptances, nil
}

// Admit returns nil if the partner has that user and the user has accepted the version
// in force of all required terms.
func (s *Agreements) Admit(ctx context.Context, user owner.User, required ...TermsType) error {
	u, published, err := s.userWithTerms(ctx, user)
	if err != nil {
		return err
	}
	var missing []apierror.Field
	for _, t := range required {
		i := slices.IndexFunc(published, func(p Terms) bool { return p.Type == t })
		if i < 0 {
			return fmt.Errorf("terms %s are not published", t)
		}
		if _, ok := u.acceptance(t, published[i].Version); !ok {
			missing = append(missing, apierror.Field{
				Code:      string(t),
				Detail:    fmt.Sprintf("Version %s of the %s terms: %s", published[i].Version, t, published[i].URL),
				TermsType: string(t), Version: published[i].Version, URL: published[i].URL,
			})
		}
	}
	if len(missing) > 0 {
		return apierror.WithFields(apierror.TermsNotAccepted,
			"The user has not accepted the terms listed in errors.", missing...)
	}
	return nil
}

func (s *Agreements) userWithTerms(ctx context.Context, user owner.User) (User, []Terms, error) {
	u, published, err := s.store.UserWithTerms(ctx, user)
	if errors.Is(err, outcome.ErrNotFound) {
		return User{}, nil, errUserNotFound()
	}
	return u, published, err
}

// acceptance returns the user's acceptance of a version, if there is one.
func (u User) acceptance(t TermsType, version string) (Acceptance, bool) {
	i := slices.IndexFunc(u.Acceptances, func(a Acceptance) bool { return a.Type == t && a.Version == version })
	if i < 0 {
		return Acceptance{}, false
	}
	return u.Acceptances[i], true
}
