package identity_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
)

// termsReads counts the reads of the terms.
type termsReads struct {
	*identitydb.Store
	n int
}

func (s *termsReads) UserWithTerms(ctx context.Context, user owner.User) (identity.User, []identity.Terms, error) {
	s.n++
	return s.Store.UserWithTerms(ctx, user)
}

func TestAdmitRemembersTheTerms(t *testing.T) {
	// elsewhere is another process, here the one that is tested.
	setUp := func(t *testing.T) (here, elsewhere *identity.Agreements, reads *termsReads, user owner.User, now *time.Time) {
		t.Helper()
		store, now := newStore(t), new(at)
		reads = &termsReads{Store: store}
		created, _, err := newUsers(store).Create(t.Context(), "p", erika, nil)
		require.NoError(t, err)
		clock := func() time.Time { return *now }
		here, elsewhere = identity.NewAgreements(reads, clock), identity.NewAgreements(store, clock)
		require.NoError(t, elsewhere.Publish(t.Context(), operator("1")))
		return here, elsewhere, reads, created.Owner, now
	}
	accept := func(t *testing.T, a *identity.Agreements, user owner.User, version string) {
		t.Helper()
		_, err := a.Accept(t.Context(), user, identity.TermsOperator, version, nil)
		require.NoError(t, err)
	}

	t.Run("and reads them once a minute", func(t *testing.T) {
		here, elsewhere, reads, user, now := setUp(t)
		accept(t, elsewhere, user, "1")
		for range 3 {
			require.NoError(t, here.Admit(t.Context(), user, identity.TermsOperator))
		}
		assert.Equal(t, 1, reads.n)
		*now = now.Add(time.Minute)
		require.NoError(t, here.Admit(t.Context(), user, identity.TermsOperator))
		assert.Equal(t, 2, reads.n)
	})

	t.Run("and requires a new version a minute later at most", func(t *testing.T) {
		here, elsewhere, _, user, now := setUp(t)
		accept(t, elsewhere, user, "1")
		require.NoError(t, here.Admit(t.Context(), user, identity.TermsOperator))
		require.NoError(t, elsewhere.Publish(t.Context(), operator("2")))
		*now = now.Add(time.Minute)
		err := here.Admit(t.Context(), user, identity.TermsOperator)
		assert.True(t, apierror.Is(err, apierror.TermsNotAccepted))
	})

	t.Run("but refuses nobody because of them", func(t *testing.T) {
		here, elsewhere, reads, user, _ := setUp(t)
		accept(t, elsewhere, user, "1")
		require.NoError(t, here.Admit(t.Context(), user, identity.TermsOperator))
		require.NoError(t, elsewhere.Publish(t.Context(), operator("2")))
		late, _, err := newUsers(reads).Create(t.Context(), "p", identity.NewUser{CountryCode: "DE", LanguageCode: "de"}, nil)
		require.NoError(t, err)
		err = here.Admit(t.Context(), late.Owner, identity.TermsOperator)
		var refusal *apierror.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, "2", refusal.Fields[0].Version, "the version in force now")
		accept(t, elsewhere, late.Owner, "2")
		assert.NoError(t, here.Admit(t.Context(), late.Owner, identity.TermsOperator))
	})

	t.Run("and still finds users who are gone", func(t *testing.T) {
		here, elsewhere, reads, user, _ := setUp(t)
		accept(t, elsewhere, user, "1")
		require.NoError(t, here.Admit(t.Context(), user, identity.TermsOperator))
		gone := owner.User{Partner: user.Partner, ID: "gone"}
		err := here.Admit(t.Context(), gone, identity.TermsOperator)
		assert.True(t, apierror.Is(err, apierror.UserNotFound))
		assert.Equal(t, 1, reads.n)
	})

	t.Run("and reads none if none are required", func(t *testing.T) {
		here, _, reads, user, _ := setUp(t)
		require.NoError(t, here.Admit(t.Context(), user))
		assert.Zero(t, reads.n)
	})
}
