package identity

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
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

// PFMTerms returns the terms that a user must have accepted before a bank is read.
func PFMTerms() []TermsType { return []TermsType{TermsOperator, TermsBankingSupplier} }

// Terms is the version of a document that is in force, or that will be.
type Terms struct {
	Type    TermsType `json:"termsType" dynamodbav:"-" enum:"Operator,BankingSupplier,CancellationProvider"`
	Version string    `json:"version" dynamodbav:"version"`
	URL     string    `json:"url" dynamodbav:"url" format:"uri"`
	// EffectiveFrom is the real time from which the version is required; zero if it was at once.
	EffectiveFrom time.Time `json:"effectiveFrom,omitzero" dynamodbav:"effectiveFrom,omitempty"`
	// Next is the version that follows at its EffectiveFrom; nil if none is published.
	Next *Terms `json:"-" dynamodbav:"next,omitempty"`
}

// at returns the version in force at a real time, with the one that follows.
func (t Terms) at(now time.Time) Terms {
	if t.Next == nil || now.Before(t.Next.EffectiveFrom) {
		return t
	}
	next := *t.Next
	next.Type = t.Type
	return next
}

// follower returns the version that follows, if one is published.
func (t Terms) follower() []Terms {
	if t.Next == nil {
		return nil
	}
	next := *t.Next
	next.Type = t.Type
	return []Terms{next}
}

// TermsAcceptance is a user's consent to one version.
type TermsAcceptance struct {
	Type       TermsType `json:"termsType" enum:"Operator,BankingSupplier,CancellationProvider"`
	Version    string    `json:"version"`
	AcceptedAt time.Time `json:"acceptedAt"`
}

// Agreements manages the terms in force and their acceptance by users.
type Agreements struct {
	// Notice is how long before a version is required it must be published; zero for at once.
	Notice time.Duration

	store TermsStore
	now   func() time.Time

	mu sync.Mutex
	// known are the documents that were in force at readAt.
	known  []Terms
	readAt time.Time
}

// termsMaxAge is how long Admit caches the terms, so a new version may take that long to be required. Reading the
// row with every call would limit the service: its partition serves 3,000 reads a second.
const termsMaxAge = time.Minute

// NewAgreements wires the service.
func NewAgreements(store TermsStore, now func() time.Time) *Agreements {
	return &Agreements{store: store, now: now}
}

// Published returns the documents in force, each followed by the one that replaces it, if one is published.
func (s *Agreements) Published(ctx context.Context) ([]Terms, error) {
	stored, err := s.store.Terms(ctx)
	list := []Terms{}
	for _, t := range stored {
		now := t.at(s.now())
		list = append(append(list, now), now.follower()...)
	}
	return list, err
}

// Publish puts a version in force from its EffectiveFrom on, and at once if that is zero. From then on, users who
// accepted another version must accept again. The first version of a document needs no notice.
func (s *Agreements) Publish(ctx context.Context, t Terms) error {
	stored, err := s.store.Terms(ctx)
	if err != nil {
		return fmt.Errorf("read terms: %w", err)
	}
	former := slices.IndexFunc(stored, func(p Terms) bool { return p.Type == t.Type })
	t.EffectiveFrom = t.EffectiveFrom.UTC().Truncate(time.Second)
	isLater := !t.EffectiveFrom.IsZero()
	var f faults
	f.require(!isLater || former >= 0, "/effectiveFrom", "The first version of a document is required at once.")
	f.require(former < 0 || s.Notice == 0 || !t.EffectiveFrom.Before(s.now().Add(s.Notice)), "/effectiveFrom",
		fmt.Sprintf("At least %s from now, so that users can read the new version.", s.Notice))
	f.require(!isLater || t.EffectiveFrom.After(s.now()), "/effectiveFrom", "A time in the future.")
	f.require(slices.Contains(TermsTypes(), t.Type), "/termsType",
		fmt.Sprintf("One of %s, %s and %s.", TermsOperator, TermsBankingSupplier, TermsCancellationProvider))
	f.require(t.Version != "" && len(t.Version) <= maxTermsVersion && !strings.ContainsFunc(t.Version, invisible),
		"/version", "1 to 40 visible ASCII characters, without spaces.")
	f.require(isTLS(t.URL), "/url", "An absolute https URL without user information.")
	if err := f.refusal("terms are"); err != nil {
		return err
	}
	if isLater {
		next, current := t, stored[former].at(s.now())
		t, t.Next = current, &next
	}
	if err := s.store.PublishTerms(ctx, t); err != nil {
		return fmt.Errorf("publish terms: %w", err)
	}
	s.remember(nil, time.Time{}) // the next Admit reads the terms again
	return nil
}

// Entity is the licensed account information service that reads accounts, as the consent page names it.
type Entity struct {
	Name string `dynamodbav:"name"`
	// Register is the public register and the entity's number in it.
	Register string `dynamodbav:"register"`
	// PrivacyNotice is an https address.
	PrivacyNotice string `dynamodbav:"privacyNotice"`
}

// SetEntity replaces the licensed entity.
func (s *Agreements) SetEntity(ctx context.Context, e Entity) error {
	var f faults
	f.requireName("/name", e.Name)
	f.requireName("/register", e.Register)
	f.require(isTLS(e.PrivacyNotice), "/url", "An absolute https URL without user information.")
	if err := f.refusal("entity is"); err != nil {
		return err
	}
	return s.store.PutEntity(ctx, e)
}

func isTLS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && len(address) <= maxTermsURL
}

const maxTermsURL, maxTermsVersion = 500, 40

// invisible reports whether a character is not a visible ASCII character.
func invisible(r rune) bool { return r <= ' ' || r > '~' }

// Accept records that the user accepts the version in force, or the one that follows.
func (s *Agreements) Accept(
	ctx context.Context, user owner.User, t TermsType, version string, also idempotency.Effect[TermsAcceptance],
) (TermsAcceptance, error) {
	u, published, err := s.userWithTerms(ctx, user)
	if err != nil {
		return TermsAcceptance{}, err
	}
	if !slices.ContainsFunc(published, func(p Terms) bool {
		now := p.at(s.now())
		return p.Type == t && (now.Version == version || now.Next != nil && now.Next.Version == version)
	}) {
		return TermsAcceptance{}, apierror.WithFields(
			apierror.ValidationFailed, "Only the version in force, or the one that follows, can be accepted.",
			apierror.Field{
				Pointer: "/version", Code: "not_in_force",
				Detail: "GET /identity/v1/terms lists the versions in force.",
			})
	}
	if a, ok := u.acceptance(t, version); ok {
		return a, nil
	}
	a := TermsAcceptance{Type: t, Version: version, AcceptedAt: clock.Now(ctx, s.now)}
	err = s.store.Accept(ctx, user, a, also)
	if !errors.Is(err, outcome.ErrChanged) {
		return a, err
	}
	// Either a concurrent call has accepted the version, or the user has been erased.
	u, err = s.store.User(ctx, user)
	if first, ok := u.acceptance(t, version); ok {
		return first, nil
	}
	if err == nil {
		err = outcome.ErrNotFound
	}
	return TermsAcceptance{}, userError(err)
}

// List returns all acceptances of the user, oldest first.
func (s *Agreements) List(ctx context.Context, user owner.User) ([]TermsAcceptance, error) {
	u, _, err := s.userWithTerms(ctx, user)
	if err != nil {
		return nil, err
	}
	list := append([]TermsAcceptance{}, u.Acceptances...)
	slices.SortFunc(list, func(a, b TermsAcceptance) int { return a.AcceptedAt.Compare(b.AcceptedAt) })
	return list, nil
}

// Gate admits users of the partner who have accepted these terms. Without terms, it admits every user of the partner:
// nobody has to accept anything to see what is stored, to end it, or to leave.
func (s *Agreements) Gate(required ...TermsType) owner.Gate { return gate{s, required} }

type gate struct {
	agreements *Agreements
	required   []TermsType
}

func (g gate) Admit(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, g.required...)
}

// Admit returns nil if the partner has that user and the user has accepted all required terms in force, or those that
// follow. Cached terms may admit a user but not refuse one: the user may have accepted a version that was published a
// moment ago.
func (s *Agreements) Admit(ctx context.Context, user owner.User, required ...TermsType) error {
	if known, ok := s.remembered(); ok || len(required) == 0 {
		u, err := s.store.User(ctx, user)
		if err != nil {
			return userError(err)
		}
		if missing, err := u.missing(known, required, s.now()); err == nil && len(missing) == 0 {
			return nil
		}
	}
	began := s.now()
	u, published, err := s.userWithTerms(ctx, user)
	if err != nil {
		return err
	}
	s.remember(published, began)
	missing, err := u.missing(published, required, began)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return apierror.WithFields(apierror.TermsNotAccepted,
			"The user has not accepted the terms listed in errors.", missing...)
	}
	return nil
}

// AdmitAny returns nil if the partner has that user. It needs no accepted terms.
func (s *Agreements) AdmitAny(ctx context.Context, user owner.User) error { return s.Admit(ctx, user) }

// remembered returns the cached terms if they are not older than termsMaxAge.
func (s *Agreements) remembered() ([]Terms, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known, !s.readAt.IsZero() && s.now().Sub(s.readAt) < termsMaxAge
}

func (s *Agreements) remember(published []Terms, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known, s.readAt = published, at
}

// missing returns a field for each required document of which the user has accepted neither the version in force nor
// the one that follows.
func (u User) missing(published []Terms, required []TermsType, now time.Time) (missing []apierror.Field, err error) {
	for _, t := range required {
		i := slices.IndexFunc(published, func(p Terms) bool { return p.Type == t })
		if i < 0 {
			return nil, fmt.Errorf("terms %s are not published", t)
		}
		inForce := published[i].at(now)
		if !slices.ContainsFunc(append(inForce.follower(), inForce), func(p Terms) bool {
			_, ok := u.acceptance(t, p.Version)
			return ok
		}) {
			missing = append(missing, apierror.Field{
				Code:      string(t),
				Detail:    fmt.Sprintf("Version %s of the %s terms: %s", inForce.Version, t, inForce.URL),
				TermsType: string(t), Version: inForce.Version, URL: inForce.URL,
			})
		}
	}
	return missing, nil
}

func (s *Agreements) userWithTerms(ctx context.Context, user owner.User) (User, []Terms, error) {
	u, published, err := s.store.UserWithTerms(ctx, user)
	return u, published, userError(err)
}

// acceptance returns the user's acceptance of a version, if there is one.
func (u User) acceptance(t TermsType, version string) (TermsAcceptance, bool) {
	i := slices.IndexFunc(u.Acceptances, func(a TermsAcceptance) bool { return a.Type == t && a.Version == version })
	if i < 0 {
		return TermsAcceptance{}, false
	}
	return u.Acceptances[i], true
}
