package identity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

func operator(version string) identity.Terms {
	return identity.Terms{Type: identity.TermsOperator, Version: version, URL: "https://aviso.example/terms/operator/" + version}
}

func banking(version string) identity.Terms {
	return identity.Terms{Type: identity.TermsBankingSupplier, Version: version, URL: "https://aviso.example/terms/banking/" + version}
}

// agreed is a user with agreements, whose clock the test moves.
func agreed(t *testing.T, published ...identity.Terms) (*identity.Agreements, owner.User, *time.Time) {
	t.Helper()
	store, now := newStore(t), at
	user, _, err := newUsers(store).Create(t.Context(), "p", erika, nil)
	require.NoError(t, err)
	agreements := identity.NewAgreements(store, func() time.Time { return now })
	for _, terms := range published {
		require.NoError(t, agreements.Publish(t.Context(), terms))
	}
	return agreements, user.Owner, &now
}

func TestAgreements(t *testing.T) {
	t.Run("admit a user who accepted the required terms", func(t *testing.T) {
		agreements, user, _ := agreed(t, operator("1"), banking("1"))
		for _, needed := range []identity.TermsType{identity.TermsOperator, identity.TermsBankingSupplier} {
			_, err := agreements.Accept(t.Context(), user, needed, "1", nil)
			require.NoError(t, err)
		}
		assert.NoError(t, agreements.Admit(t.Context(), user, identity.TermsOperator, identity.TermsBankingSupplier))
	})

	t.Run("list every missing document, and no other", func(t *testing.T) {
		agreements, user, _ := agreed(t, operator("1"), banking("7"))
		err := agreements.Admit(t.Context(), user, identity.TermsOperator, identity.TermsBankingSupplier)
		var refusal *apierror.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, apierror.TermsNotAccepted, refusal.Code)
		assert.Equal(t, []apierror.Field{
			{
				Code: "Operator", Detail: "Version 1 of the Operator terms: https://aviso.example/terms/operator/1",
				TermsType: "Operator", Version: "1", URL: "https://aviso.example/terms/operator/1",
			},
			{
				Code: "BankingSupplier", Detail: "Version 7 of the BankingSupplier terms: https://aviso.example/terms/banking/7",
				TermsType: "BankingSupplier", Version: "7", URL: "https://aviso.example/terms/banking/7",
			},
		}, refusal.Fields)

		_, err = agreements.Accept(t.Context(), user, identity.TermsOperator, "1", nil)
		require.NoError(t, err)
		require.ErrorAs(t, agreements.Admit(t.Context(), user, identity.TermsOperator, identity.TermsBankingSupplier), &refusal)
		require.Len(t, refusal.Fields, 1)
		assert.Equal(t, "BankingSupplier", refusal.Fields[0].Code)
	})

	t.Run("require acceptance again for a new version", func(t *testing.T) {
		agreements, user, _ := agreed(t, operator("1"))
		_, err := agreements.Accept(t.Context(), user, identity.TermsOperator, "1", nil)
		require.NoError(t, err)
		require.NoError(t, agreements.Publish(t.Context(), operator("2")))
		assert.True(t, apierror.Is(agreements.Admit(t.Context(), user, identity.TermsOperator), apierror.TermsNotAccepted))
		_, err = agreements.Accept(t.Context(), user, identity.TermsOperator, "2", nil)
		require.NoError(t, err)
		assert.NoError(t, agreements.Admit(t.Context(), user, identity.TermsOperator))
	})

	t.Run("require a version that is published ahead only from its day on", func(t *testing.T) {
		agreements, user, now := agreed(t, operator("1"))
		agreements.Notice = 24 * time.Hour
		_, err := agreements.Accept(t.Context(), user, identity.TermsOperator, "1", nil)
		require.NoError(t, err)
		next := operator("2")
		for _, early := range []time.Time{{}, at.Add(-time.Hour), at.Add(24*time.Hour - time.Second)} {
			next.EffectiveFrom = early
			assert.True(t, apierror.Is(agreements.Publish(t.Context(), next), apierror.ValidationFailed), early)
		}
		next.EffectiveFrom = at.Add(48 * time.Hour)
		require.NoError(t, agreements.Publish(t.Context(), next))
		late, err := agreements.Published(t.Context())
		require.NoError(t, err)
		require.Len(t, late, 2)
		assert.Equal(t, []string{"1", "2"}, []string{late[0].Version, late[1].Version})
		assert.Equal(t, next.EffectiveFrom, late[1].EffectiveFrom)

		*now = next.EffectiveFrom.Add(-time.Second)
		require.NoError(t, agreements.Admit(t.Context(), user, identity.TermsOperator))
		*now = next.EffectiveFrom
		err = agreements.Admit(t.Context(), user, identity.TermsOperator)
		var refusal *apierror.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, "2", refusal.Fields[0].Version)
		require.NoError(t, agreements.Gate().Admit(t.Context(), user), "who has not accepted may still leave")

		third := operator("3")
		third.EffectiveFrom = now.Add(48 * time.Hour)
		require.NoError(t, agreements.Publish(t.Context(), third))
		late, err = agreements.Published(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"2", "3"}, []string{late[0].Version, late[1].Version})
		_, err = agreements.Accept(t.Context(), user, identity.TermsOperator, "3", nil)
		require.NoError(t, err, "ahead of its day")
		require.NoError(t, agreements.Admit(t.Context(), user, identity.TermsOperator), "who accepted the next needs no other")
	})

	t.Run("publish the first version of a document at once only", func(t *testing.T) {
		agreements, _, _ := agreed(t)
		first := operator("1")
		first.EffectiveFrom = at.Add(48 * time.Hour)
		assert.True(t, apierror.Is(agreements.Publish(t.Context(), first), apierror.ValidationFailed))
		agreements.Notice = 24 * time.Hour
		assert.NoError(t, agreements.Publish(t.Context(), operator("1")))
	})

	t.Run("treat a version that is in force again as accepted", func(t *testing.T) {
		agreements, user, _ := agreed(t, operator("1"))
		_, err := agreements.Accept(t.Context(), user, identity.TermsOperator, "1", nil)
		require.NoError(t, err)
		require.NoError(t, agreements.Publish(t.Context(), operator("2")))
		require.NoError(t, agreements.Publish(t.Context(), operator("1")))
		assert.NoError(t, agreements.Admit(t.Context(), user, identity.TermsOperator))
	})

	t.Run("are listed oldest first, including previous versions", func(t *testing.T) {
		agreements, user, now := agreed(t, banking("1"), operator("2026#1"))
		_, err := agreements.Accept(t.Context(), user, identity.TermsOperator, "2026#1", nil)
		require.NoError(t, err)
		*now = at.Add(time.Hour)
		_, err = agreements.Accept(t.Context(), user, identity.TermsBankingSupplier, "1", nil)
		require.NoError(t, err)
		*now = at.Add(2 * time.Hour)
		require.NoError(t, agreements.Publish(t.Context(), operator("2")))
		_, err = agreements.Accept(t.Context(), user, identity.TermsOperator, "2", nil)
		require.NoError(t, err)
		list, err := agreements.List(t.Context(), user)
		require.NoError(t, err)
		assert.Equal(t, []identity.TermsAcceptance{
			{Type: identity.TermsOperator, Version: "2026#1", AcceptedAt: at},
			{Type: identity.TermsBankingSupplier, Version: "1", AcceptedAt: at.Add(time.Hour)},
			{Type: identity.TermsOperator, Version: "2", AcceptedAt: at.Add(2 * time.Hour)},
		}, list)
	})

	t.Run("need documents in force", func(t *testing.T) {
		agreements, user, _ := agreed(t)
		err := agreements.Admit(t.Context(), user, identity.TermsOperator)
		require.Error(t, err, "a stack without terms must admit nobody")
		var refusal *apierror.Error
		assert.NotErrorAs(t, err, &refusal, "this is our fault, not the partner's")
		published, err := agreements.Published(t.Context())
		require.NoError(t, err)
		assert.Empty(t, published)
	})

	t.Run("are published completely and in order", func(t *testing.T) {
		agreements, _, _ := agreed(t)
		for _, broken := range []identity.Terms{
			{}, {Type: "Other", Version: "1", URL: "https://t.example/1"}, {Type: identity.TermsOperator, URL: "https://t.example/1"}, {Type: identity.TermsOperator, Version: "1"},
			{Type: identity.TermsOperator, Version: "1 #2", URL: "https://t.example/1"}, {Type: identity.TermsOperator, Version: "1", URL: "http://t.example/1"},
			{Type: identity.TermsOperator, Version: "1", URL: "https://u:p@t.example/1"},
		} {
			assert.True(t, apierror.Is(agreements.Publish(t.Context(), broken), apierror.ValidationFailed), broken)
		}
		require.NoError(t, agreements.Publish(t.Context(), banking("1")))
		require.NoError(t, agreements.Publish(t.Context(), operator("1")))
		require.NoError(t, agreements.Publish(t.Context(), banking("2")))
		published, err := agreements.Published(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []identity.Terms{operator("1"), banking("2")}, published)
	})
}
