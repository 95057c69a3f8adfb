package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// User is a Partner User: an end user of one partner.
type User struct {
	Owner        owner.User        `json:"-" dynamodbav:"-"`
	ExternalID   string            `json:"externalId" dynamodbav:"externalId,omitempty"`
	CountryCode  string            `json:"countryCode" dynamodbav:"countryCode" pattern:"^[A-Z]{2}$"`
	LanguageCode string            `json:"languageCode" dynamodbav:"languageCode" pattern:"^[a-z]{2,3}$"`
	CreatedAt    time.Time         `json:"createdAt" dynamodbav:"createdAt"`
	Acceptances  []TermsAcceptance `json:"-" dynamodbav:"-"`
}

// NewUser is the partner's input for a user.
type NewUser struct{ ExternalID, CountryCode, LanguageCode string }

// Users creates, finds and erases users.
type Users struct {
	store UserStore
	now   func() time.Time
	newID func() string
}

// NewUsers wires the service.
func NewUsers(store UserStore, now func() time.Time, newID func() string) *Users {
	return &Users{store: store, now: now, newID: newID}
}

// Create creates a user. If the partner already has one with the same external ID,
// Create returns it unchanged, with created false.
func (s *Users) Create(
	ctx context.Context, p owner.PartnerID, n NewUser, also idempotency.Effect[User],
) (u User, created bool, err error) {
	u = User{
		Owner: owner.User{Partner: p, ID: owner.UserID(s.newID())}, ExternalID: n.ExternalID,
		CountryCode: n.CountryCode, LanguageCode: n.LanguageCode, CreatedAt: clock.Read(s.now).Time(),
	}
	err = s.store.CreateUser(ctx, u, also)
	if errors.Is(err, outcome.ErrChanged) {
		u, err = s.store.UserByExternalID(ctx, p, n.ExternalID)
		if errors.Is(err, outcome.ErrNotFound) { // erased between the two steps
			return User{}, false, apierror.New(apierror.Conflict,
				"The user with this external ID is being erased. Try again.")
		}
		return u, false, err
	}
	if err != nil {
		return User{}, false, fmt.Errorf("create user: %w", err)
	}
	return u, true, nil
}

// Get returns a user by ID.
func (s *Users) Get(ctx context.Context, id owner.User) (User, error) {
	u, err := s.store.User(ctx, id)
	return u, userError(err)
}

// Update changes what is not empty. It returns an error if another user of the partner has the external ID.
func (s *Users) Update(ctx context.Context, id owner.User, n NewUser) (User, error) {
	u, err := s.Get(ctx, id)
	if err != nil {
		return User{}, err
	}
	changed := u
	changed.ExternalID = cmp.Or(n.ExternalID, u.ExternalID)
	changed.CountryCode, changed.LanguageCode = cmp.Or(n.CountryCode, u.CountryCode), cmp.Or(n.LanguageCode, u.LanguageCode)
	former := NewUser{u.ExternalID, u.CountryCode, u.LanguageCode}
	if former == (NewUser{changed.ExternalID, changed.CountryCode, changed.LanguageCode}) {
		return u, nil
	}
	err = s.store.UpdateUser(ctx, changed, u.ExternalID)
	if errors.Is(err, outcome.ErrChanged) {
		return User{}, apierror.New(apierror.Conflict,
			"Another user has this external ID, or this user was changed at the same time.")
	}
	return changed, userError(err)
}

// ByExternalID returns a user by the partner's own ID.
func (s *Users) ByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (User, error) {
	u, err := s.store.UserByExternalID(ctx, p, externalID)
	if errors.Is(err, outcome.ErrNotFound) {
		return User{}, apierror.New(apierror.UserNotFound, "The partner has no user with this external ID.")
	}
	return u, err
}
