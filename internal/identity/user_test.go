package identity_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

// Users and agreements depend on what the table guarantees, so they are tested with
// the real store.
func newStore(t *testing.T) *identitydb.Store {
	return identitydb.New(testenv.DynamoDB(t), testenv.Table(t, "IdentityTable"))
}

func newUsers(store identity.UserStore) *identity.Users {
	return identity.NewUsers(store, func() time.Time { return at }, uuid.NewString)
}

var erika = identity.NewUser{ExternalID: "customer-1", CountryCode: "DE", LanguageCode: "de"}

func TestUsers(t *testing.T) {
	t.Run("with the same external ID at two partners are two", func(t *testing.T) {
		users := newUsers(newStore(t))
		first, _, err := users.Create(t.Context(), "p", erika, nil)
		require.NoError(t, err)
		second, created, err := users.Create(t.Context(), "q", erika, nil)
		require.NoError(t, err)
		assert.True(t, created)
		assert.NotEqual(t, first.Owner.ID, second.Owner.ID)
	})

	t.Run("with external IDs of any content are distinguished", func(t *testing.T) {
		users := newUsers(newStore(t))
		seen := map[owner.UserID]string{}
		for _, external := range []string{"a", "A", "a ", "a#U#b", "ä", "a\u0308", strings.Repeat("x", 255), "😀"} {
			in := erika
			in.ExternalID = external
			made, created, err := users.Create(t.Context(), "p", in, nil)
			require.NoError(t, err)
			require.True(t, created)
			require.NotContains(t, seen, made.Owner.ID)
			seen[made.Owner.ID] = external
			found, err := users.ByExternalID(t.Context(), "p", external)
			require.NoError(t, err)
			assert.Equal(t, external, found.ExternalID)
		}
	})

	t.Run("with the same external ID created concurrently are one", func(t *testing.T) {
		users := newUsers(newStore(t))
		var group errgroup.Group
		var mu sync.Mutex
		ids, made := map[owner.UserID]bool{}, 0
		for range 24 {
			group.Go(func() error {
				u, created, err := users.Create(t.Context(), "p", erika, nil)
				mu.Lock()
				defer mu.Unlock()
				ids[u.Owner.ID] = true
				if created {
					made++
				}
				return err
			})
		}
		require.NoError(t, group.Wait())
		assert.Len(t, ids, 1)
		assert.Equal(t, 1, made)
	})
}

func TestForeignUsersAreNotFound(t *testing.T) {
	store := newStore(t)
	users := newUsers(store)
	agreements := identity.NewAgreements(store, func() time.Time { return at })
	made, _, err := users.Create(t.Context(), "p", erika, nil)
	require.NoError(t, err)

	for name, id := range map[string]owner.User{
		"of another partner":               {Partner: "q", ID: made.Owner.ID},
		"unknown":                          {Partner: "p", ID: owner.UserID(uuid.NewString())},
		"of a partner whose ID ends a key": {Partner: "p#U", ID: made.Owner.ID},
		"with an empty ID":                 {Partner: "p", ID: ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := users.Get(t.Context(), id)
			assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
			_, err = agreements.List(t.Context(), id)
			assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
			_, err = agreements.Accept(t.Context(), id, identity.TermsOperator, "1", nil)
			assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
			assert.True(t, apierror.Is(agreements.Admit(t.Context(), id, identity.TermsOperator), apierror.UserNotFound))
		})
	}
	_, err = users.ByExternalID(t.Context(), "q", "customer-1")
	assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
	accepted := identity.TermsAcceptance{Type: identity.TermsOperator, Version: "1", AcceptedAt: at}
	err = store.Accept(t.Context(), owner.User{Partner: "q", ID: made.Owner.ID}, accepted, nil)
	assert.ErrorIs(t, err, outcome.ErrChanged, "an acceptance does not create a user")
}

func TestExternalIDIsCorrected(t *testing.T) {
	store := newStore(t)
	users := newUsers(store)
	u, _, err := users.Create(t.Context(), "p", erika, nil)
	require.NoError(t, err)
	other, _, err := users.Create(t.Context(), "p", identity.NewUser{ExternalID: "taken", CountryCode: "DE", LanguageCode: "de"}, nil)
	require.NoError(t, err)

	changed, err := users.Update(t.Context(), u.Owner, identity.NewUser{ExternalID: "right"})
	require.NoError(t, err)
	assert.Equal(t, "right", changed.ExternalID)
	assert.Equal(t, erika.LanguageCode, changed.LanguageCode)
	found, err := users.ByExternalID(t.Context(), "p", "right")
	require.NoError(t, err)
	assert.Equal(t, u.Owner, found.Owner)
	_, err = users.ByExternalID(t.Context(), "p", erika.ExternalID)
	assert.True(t, apierror.Is(err, apierror.UserNotFound), "the wrong one is free again")

	_, err = users.Update(t.Context(), u.Owner, identity.NewUser{ExternalID: "taken", LanguageCode: "fr"})
	assert.True(t, apierror.Is(err, apierror.Conflict), err)
	same, err := users.Get(t.Context(), u.Owner)
	require.NoError(t, err)
	assert.Equal(t, changed, same, "nothing is half done")
	found, err = users.ByExternalID(t.Context(), "p", "taken")
	require.NoError(t, err)
	assert.Equal(t, other.Owner, found.Owner)

	nameless, _, err := users.Create(t.Context(), "p", identity.NewUser{CountryCode: "DE", LanguageCode: "de"}, nil)
	require.NoError(t, err)
	_, err = users.Update(t.Context(), nameless.Owner, identity.NewUser{ExternalID: "late"})
	require.NoError(t, err)

	// An erasure that read the user before the correction leaves no trace of the new ID.
	_, err = users.Erase(t.Context(), u.Owner)
	require.NoError(t, err)
	_, err = users.ByExternalID(t.Context(), "p", "right")
	assert.True(t, apierror.Is(err, apierror.UserNotFound))
	_, err = users.Update(t.Context(), u.Owner, identity.NewUser{ExternalID: "again"})
	assert.True(t, apierror.Is(err, apierror.UserNotFound))
}
