package identity_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/clocktest"
)

// CreatePartner implements identity.PartnerStore.
func (s *partners) CreatePartner(_ context.Context, p identity.Partner) error {
	if _, there := s.rows[p.ID]; there {
		return outcome.ErrChanged
	}
	return s.PutPartner(context.Background(), p)
}

// SavePartner implements identity.PartnerStore.
func (s *partners) SavePartner(_ context.Context, p identity.Partner) error {
	if s.rows[p.ID].Version != p.Version {
		return outcome.ErrChanged
	}
	p.Version++
	return s.PutPartner(context.Background(), p)
}

// SwitchPartner implements identity.PartnerStore.
func (s *partners) SwitchPartner(ctx context.Context, p identity.Partner) error {
	return s.SavePartner(ctx, p)
}

// registry is a registrar whose secrets are secret-1, secret-2 and so on.
type registry struct {
	*identity.Registrar
	store *partners
	clock *clocktest.Clock
}

func newRegistry() registry {
	r := registry{store: &partners{}, clock: clocktest.New()}
	made := 0
	r.Registrar = identity.NewRegistrar(r.store, r.clock.Now, func() string { made++; return "secret-" + strconv.Itoa(made) })
	return r
}

// registered returns a registry with acme, and the first secret.
func registered(t *testing.T) (registry, string) {
	t.Helper()
	r := newRegistry()
	_, secret, err := r.Create(t.Context(), acme())
	require.NoError(t, err)
	return r, secret
}

func acme() identity.Partner {
	return identity.Partner{
		ID:         "acme",
		Name:       "Acme",
		Scopes:     []string{"pfm", "identity", "pfm"},
		ReturnURLs: []string{"https://acme.example/"},
	}
}

// admits reports whether the partner gets a token with a secret now.
func (r registry) admits(t *testing.T, secret string) bool {
	t.Helper()
	tokens := identity.NewTokens(r.store, new(issuer).Issue, func(context.Context) error { return nil }, r.clock.Now)
	_, err := tokens.Issue(t.Context(), "acme", secret, "", "https://aviso.example")
	if err != nil {
		require.ErrorIs(t, err, identity.ErrInvalidClient)
	}
	return err == nil
}

func TestPartnersAreCreatedOnce(t *testing.T) {
	r := newRegistry()
	p, secret, err := r.Create(t.Context(), acme())
	require.NoError(t, err)
	assert.Equal(t, []string{"identity", "pfm"}, p.Scopes)
	assert.True(t, r.admits(t, secret))
	assert.NotContains(t, r.store.rows["acme"].Secrets[0].Hash, secret, "the stored hash is not the secret")

	_, _, err = r.Create(t.Context(), acme())
	assert.True(t, apierror.Is(err, apierror.Conflict), err)
	assert.True(t, r.admits(t, secret), "the refused change has no effect")
}

func TestUsersSeeTheDisplayName(t *testing.T) {
	r, _ := registered(t)
	for _, c := range []struct{ set, seen string }{{"", "Acme"}, {"Acme Budget", "Acme Budget"}, {"", "Acme"}} {
		p, err := r.SetDisplayName(t.Context(), "acme", c.set)
		require.NoError(t, err)
		assert.Equal(t, c.seen, p.PublicName())
	}
	_, err := r.SetDisplayName(t.Context(), "acme", " Acme")
	assert.True(t, apierror.Is(err, apierror.ValidationFailed), err)
	assert.Equal(t, "Acme", r.store.rows["acme"].PublicName())
}

func TestAlertsGoToTheAddressThatThePartnerSets(t *testing.T) {
	r, _ := registered(t)
	p, err := r.SetAlertEmail(t.Context(), "acme", "on-call@acme.example")
	require.NoError(t, err)
	assert.Equal(t, "on-call@acme.example", p.AlertEmail)
	for _, address := range []string{
		"acme", "on-call@acme", "@acme.example", "On Call <on-call@acme.example>", "a@acme.example, b@acme.example",
		"a@acme.example\nBcc: b@acme.example", " a@acme.example", "ä@acme.example", `"a b"@acme.example`, "a@-acme..example",
		strings.Repeat("a", 65) + "@acme.example", "a@" + strings.Repeat("a.", 130) + "example",
	} {
		_, err := r.SetAlertEmail(t.Context(), "acme", address)
		assert.True(t, apierror.Is(err, apierror.ValidationFailed), address)
		assert.Equal(t, "on-call@acme.example", r.store.rows["acme"].AlertEmail)
	}
	p, err = r.SetAlertEmail(t.Context(), "acme", "")
	require.NoError(t, err)
	assert.Empty(t, p.AlertEmail)
}

func TestPartnersAreChecked(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil   func(*identity.Partner)
		pointer string
	}{
		"an ID in upper case":                {func(p *identity.Partner) { p.ID = "Acme" }, "/id"},
		"no ID":                              {func(p *identity.Partner) { p.ID = "" }, "/id"},
		"no name":                            {func(p *identity.Partner) { p.Name = "" }, "/name"},
		"a name of two lines":                {func(p *identity.Partner) { p.Name = "A\nB" }, "/name"},
		"a name too long":                    {func(p *identity.Partner) { p.Name = strings.Repeat("ü", 101) }, "/name"},
		"a display name of two lines":        {func(p *identity.Partner) { p.DisplayName = "A\nB" }, "/displayName"},
		"an address without a domain":        {func(p *identity.Partner) { p.AlertEmail = "acme" }, "/alertEmail"},
		"no scope":                           {func(p *identity.Partner) { p.Scopes = nil }, "/scopes"},
		"a scope that is unknown":            {func(p *identity.Partner) { p.Scopes = []string{"pfm", "admin"} }, "/scopes"},
		"a return URL that is not a web URL": {func(p *identity.Partner) { p.ReturnURLs = []string{"https://a.example/", "acme://x"} }, "/returnUrls/1"},
		"too many return URLs":               {func(p *identity.Partner) { p.ReturnURLs = make([]string, 51) }, "/returnUrls"},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := newRegistry(), acme()
			tt.spoil(&p)
			_, _, err := r.Create(t.Context(), p)
			var f *apierror.Error
			require.ErrorAs(t, err, &f)
			require.Len(t, f.Fields, 1)
			assert.Equal(t, tt.pointer, f.Fields[0].Pointer)
			assert.Empty(t, r.store.rows)
		})
	}
}

func TestSecretsRotate(t *testing.T) {
	t.Run("the previous one is valid for the grace period", func(t *testing.T) {
		r, first := registered(t)
		p, second, err := r.RotateSecret(t.Context(), "acme", 24*time.Hour)
		require.NoError(t, err)
		assert.Len(t, p.Secrets, 2)
		assert.True(t, r.admits(t, first))
		assert.True(t, r.admits(t, second))
		r.clock.Advance(24 * time.Hour)
		assert.False(t, r.admits(t, first))
		assert.True(t, r.admits(t, second))
	})

	t.Run("at most two are valid, and a grace period never grows", func(t *testing.T) {
		r, first := registered(t)
		_, second, err := r.RotateSecret(t.Context(), "acme", identity.MaxGrace)
		require.NoError(t, err)
		p, third, err := r.RotateSecret(t.Context(), "acme", time.Hour)
		require.NoError(t, err)
		assert.Len(t, p.Secrets, 2)
		assert.Equal(t, []bool{false, true, true}, []bool{r.admits(t, first), r.admits(t, second), r.admits(t, third)})
		r.clock.Advance(time.Hour)
		assert.False(t, r.admits(t, second))
	})

	t.Run("without a grace period only the new one is valid", func(t *testing.T) {
		r, first := registered(t)
		p, second, err := r.RotateSecret(t.Context(), "acme", 0)
		require.NoError(t, err)
		assert.Len(t, p.Secrets, 1)
		assert.Equal(t, []bool{false, true}, []bool{r.admits(t, first), r.admits(t, second)})
	})

	t.Run("the grace period is 0 to 30 days", func(t *testing.T) {
		r, _ := registered(t)
		for _, grace := range []time.Duration{-time.Hour, identity.MaxGrace + time.Hour} {
			_, _, err := r.RotateSecret(t.Context(), "acme", grace)
			assert.True(t, apierror.Is(err, apierror.ValidationFailed), err)
		}
	})
}

func TestReplacedSecretsAreRevoked(t *testing.T) {
	r, first := registered(t)
	r.clock.Advance(time.Hour)
	p, second, err := r.RotateSecret(t.Context(), "acme", identity.MaxGrace)
	require.NoError(t, err)
	assert.Equal(t, time.Hour, p.Secrets[1].CreatedAt.Sub(p.Secrets[0].CreatedAt))

	_, err = r.RevokeSecret(t.Context(), "acme", "00000000")
	assert.True(t, apierror.Is(err, apierror.NotFound), err)
	_, err = r.RevokeSecret(t.Context(), "acme", p.Secrets[1].Digest())
	assert.True(t, apierror.Is(err, apierror.Conflict), "the newest one: %v", err)
	_, err = r.RevokeSecret(t.Context(), "acme", p.Secrets[0].Digest())
	require.NoError(t, err)
	assert.Equal(t, []bool{false, true}, []bool{r.admits(t, first), r.admits(t, second)})
}

func TestAuthenticate(t *testing.T) {
	r, secret := registered(t)
	p, err := r.Authenticate(t.Context(), "acme", secret)
	require.NoError(t, err)
	assert.Equal(t, "Acme", p.Name)
	for _, client := range []owner.PartnerID{"nobody", owner.PartnerID(strings.Repeat("a", 65))} {
		_, err = r.Authenticate(t.Context(), client, secret)
		require.ErrorIs(t, err, identity.ErrInvalidClient)
	}
	_, err = r.Authenticate(t.Context(), "acme", "guess")
	assert.ErrorIs(t, err, identity.ErrInvalidClient)
}

func TestPartnersAreDisabledAndEnabled(t *testing.T) {
	r, secret := registered(t)
	for _, disabled := range []bool{true, true, false} {
		p, err := r.SetDisabled(t.Context(), "acme", disabled)
		require.NoError(t, err)
		assert.Equal(t, disabled, p.Disabled)
		assert.Equal(t, !disabled, r.admits(t, secret))
	}
}

func TestReturnURLsAreReplaced(t *testing.T) {
	r, _ := registered(t)
	_, err := r.SetReturnURLs(t.Context(), "acme", []string{"https://new.example/back"})
	require.NoError(t, err)
	_, err = r.SetReturnURLs(t.Context(), "acme", []string{"https://new.example/#x"})
	assert.True(t, apierror.Is(err, apierror.ValidationFailed), err)
	p, err := r.Get(t.Context(), "acme")
	require.NoError(t, err)
	assert.Equal(t, []string{"https://new.example/back"}, p.ReturnURLs)
}

func TestConcurrentChangesOfPartnersDoNotUndoEachOther(t *testing.T) {
	r, _ := registered(t)
	meddling := identity.NewRegistrar(&meddler{partners: r.store}, r.clock.Now, func() string { return "secret" })
	_, _, err := meddling.RotateSecret(t.Context(), "acme", time.Hour)
	assert.True(t, apierror.Is(err, apierror.Conflict), err)
	p, err := r.Get(t.Context(), "acme")
	require.NoError(t, err)
	assert.True(t, p.Disabled, "the other change is kept")
	assert.Len(t, p.Secrets, 1)
}

// meddler disables the partner just after it is read, as a concurrent change.
type meddler struct{ *partners }

func (m *meddler) Partner(ctx context.Context, id owner.PartnerID) (identity.Partner, error) {
	p, err := m.partners.Partner(ctx, id)
	other := p
	other.Disabled = true
	if err == nil {
		err = m.SavePartner(ctx, other)
	}
	return p, err
}

func TestUnknownPartners(t *testing.T) {
	r := newRegistry()
	for _, id := range []owner.PartnerID{"acme", "", owner.PartnerID(strings.Repeat("p", 4000))} {
		_, err := r.Get(t.Context(), id)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		_, _, err = r.RotateSecret(t.Context(), id, 0)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		_, err = r.SetDisabled(t.Context(), id, true)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
	}
}
