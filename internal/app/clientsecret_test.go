package app

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/token"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/localstack/tests/testenv"
)

// A partner replaces its client secret while its servers keep requesting tokens:
// first both are valid, then its servers switch, then the old one expires.
func TestPartnerReplacesItsSecretUnderTraffic(t *testing.T) {
	t.Parallel()
	const old, fresh = "the-old-secret", "the-new-secret"
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	store, public := identitydb.New(db, table), token.NewKeyStore(db, table)
	key, err := token.NewSigningKey(rootA)
	require.NoError(t, err)
	issuer, err := token.NewIssuer(key, token.Audience("local"), time.Now, uuid.NewString)
	require.NoError(t, err)
	register := func(secrets ...identity.ClientSecret) {
		t.Helper()
		p := identity.Partner{ID: "p", Scopes: identity.Scopes(), Secrets: secrets}
		require.NoError(t, store.PutPartner(t.Context(), p))
	}
	register(identity.ClientSecret{Hash: identity.HashSecret(old)})

	var used atomic.Pointer[string]
	used.Store(new(old))
	var issued [4]atomic.Int64 // by server
	stop := make(chan struct{})
	var servers sync.WaitGroup
	for server := range issued {
		tokens := identity.NewTokens(store, issuer.Issue,
			func(ctx context.Context) error { return public.PublishKey(ctx, key.Public()) }, time.Now)
		servers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := tokens.Issue(t.Context(), "p", *used.Load(), "", "https://api.example"); !assert.NoError(t, err) {
					return
				}
				issued[server].Add(1)
			}
		})
	}
	// goOn waits until each server has got ten tokens more, so that no call from before is left.
	goOn := func() {
		t.Helper()
		for server := range issued {
			until := issued[server].Load() + 10
			require.Eventually(t, func() bool { return issued[server].Load() >= until }, 30*time.Second, time.Millisecond)
		}
	}
	goOn()
	both := []identity.ClientSecret{
		{Hash: identity.HashSecret(old), ExpiresAt: time.Now().Add(time.Hour)},
		{Hash: identity.HashSecret(fresh)},
	}
	register(both...)
	goOn()
	used.Store(new(fresh))
	goOn()
	register(both[1])
	goOn()
	close(stop)
	servers.Wait()
	tokens := identity.NewTokens(store, issuer.Issue, func(context.Context) error { return nil }, time.Now)
	_, err = tokens.Issue(t.Context(), "p", old, "", "https://api.example")
	assert.ErrorIs(t, err, identity.ErrInvalidClient)
}
