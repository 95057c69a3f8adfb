package identity_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/owner"
)

var at = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

type grant struct {
	partner owner.PartnerID
	scopes  []string
}

// issuer records what is published and issued, in order.
type issuer struct {
	mu         sync.Mutex
	steps      []string
	issued     []grant
	publishErr error
	issueErr   error
}

func (i *issuer) step(s string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.steps = append(i.steps, s)
}

func (i *issuer) Issue(id owner.PartnerID, scopes []string, issuer string) (string, time.Duration, error) {
	i.step("issue for " + issuer)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.issued = append(i.issued, grant{id, scopes})
	return "token", time.Hour, i.issueErr
}

func (i *issuer) publish(context.Context) error {
	i.step("publish")
	return i.publishErr
}

const base = "https://api.example"

func TestClientSecrets(t *testing.T) {
	old, fresh := strings.Repeat("o", 43), strings.Repeat("f", 43)
	rotating := identity.Partner{ID: "p", Scopes: []string{"pfm"}, Secrets: []identity.ClientSecret{
		{Hash: identity.HashSecret(old), ExpiresAt: at.Add(time.Hour)}, {Hash: identity.HashSecret(fresh)},
	}}
	disabled := rotating
	disabled.Disabled = true
	none := identity.Partner{ID: "p", Scopes: []string{"pfm"}}
	for _, tt := range []struct {
		name    string
		partner identity.Partner
		id      owner.PartnerID
		secret  string
		after   time.Duration
		want    error
	}{
		{"the old one is valid during a rotation", rotating, "p", old, 0, nil},
		{"the new one is valid during a rotation", rotating, "p", fresh, 0, nil},
		{"the old one is valid to its last moment", rotating, "p", old, time.Hour - 1, nil},
		{"the old one ends at its time", rotating, "p", old, time.Hour, identity.ErrInvalidClient},
		{"the new one stays valid", rotating, "p", fresh, 1000 * time.Hour, nil},
		{"another one is wrong", rotating, "p", "other", 0, identity.ErrInvalidClient},
		{"none is wrong", rotating, "p", "", 0, identity.ErrInvalidClient},
		{"its hash is wrong", rotating, "p", identity.HashSecret(fresh), 0, identity.ErrInvalidClient},
		{"a disabled partner has none", disabled, "p", fresh, 0, identity.ErrInvalidClient},
		{"a partner without any gets no token", none, "p", "", 0, identity.ErrInvalidClient},
		{"of another partner", rotating, "q", fresh, 0, identity.ErrInvalidClient},
		{"of no partner", rotating, "", fresh, 0, identity.ErrInvalidClient},
		{"with an ID that is too long", rotating, owner.PartnerID(strings.Repeat("p", 4000)), fresh, 0, identity.ErrInvalidClient},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := &partners{rows: map[owner.PartnerID]identity.Partner{"p": tt.partner}}
			i := &issuer{}
			tokens := identity.NewTokens(store, i.Issue, i.publish, func() time.Time { return at.Add(tt.after) })
			_, err := tokens.Issue(t.Context(), tt.id, tt.secret, "", base)
			assert.ErrorIs(t, err, tt.want)
			assert.Equal(t, tt.want == nil, len(i.issued) == 1)
		})
	}
}

func TestSigningKeyIsPublishedFirst(t *testing.T) {
	setUp := func() (*issuer, *identity.Tokens) {
		store := &partners{
			rows: map[owner.PartnerID]identity.Partner{"p": {ID: "p", Secrets: []identity.ClientSecret{{Hash: identity.HashSecret("s")}}}},
		}
		i := &issuer{}
		return i, identity.NewTokens(store, i.Issue, i.publish, func() time.Time { return at })
	}

	t.Run("before the first token, and once", func(t *testing.T) {
		i, tokens := setUp()
		for range 2 {
			_, err := tokens.Issue(t.Context(), "p", "s", "", base)
			require.NoError(t, err)
		}
		assert.Equal(t, []string{"publish", "issue for " + base, "issue for " + base}, i.steps)
	})

	t.Run("not for a caller that gets no token", func(t *testing.T) {
		i, tokens := setUp()
		_, err := tokens.Issue(t.Context(), "p", "wrong", "", base)
		require.ErrorIs(t, err, identity.ErrInvalidClient)
		assert.Empty(t, i.steps)
	})

	t.Run("no token is issued while that fails, and it is retried", func(t *testing.T) {
		i, tokens := setUp()
		i.publishErr = errors.New("table is away")
		_, err := tokens.Issue(t.Context(), "p", "s", "", base)
		require.ErrorIs(t, err, i.publishErr)
		i.publishErr = nil
		_, err = tokens.Issue(t.Context(), "p", "s", "", base)
		require.NoError(t, err)
		assert.Equal(t, []string{"publish", "publish", "issue for " + base}, i.steps)
	})

	t.Run("a failing signer issues no token", func(t *testing.T) {
		i, tokens := setUp()
		i.issueErr = errors.New("no entropy")
		token, err := tokens.Issue(t.Context(), "p", "s", "", base)
		require.ErrorIs(t, err, i.issueErr)
		assert.Zero(t, token)
	})

	t.Run("a failing store is not reported as a wrong secret", func(t *testing.T) {
		i := &issuer{}
		tokens := identity.NewTokens(&partners{err: errors.New("down")}, i.Issue, i.publish, func() time.Time { return at })
		_, err := tokens.Issue(t.Context(), "p", "s", "", base)
		require.Error(t, err)
		assert.NotErrorIs(t, err, identity.ErrInvalidClient)
	})
}
