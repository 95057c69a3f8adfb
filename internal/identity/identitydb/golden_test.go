package identitydb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

// The golden items are made of these; see testenv.Golden.

func goldenPartners() []identity.Partner {
	return []identity.Partner{
		{
			ID: "full", Name: "Partner", DisplayName: "Partner's app", Scopes: []string{"identity", "pfm"},
			ReturnURLs: []string{"https://partner.example/"}, Disabled: true, Version: 3,
			Secrets: []identity.ClientSecret{{Hash: "a"}, {Hash: "b", ExpiresAt: at}, {Hash: "c", CreatedAt: clock.Real(at)}},
		},
		{ID: "alerted", AlertEmail: "on-call@partner.example"},
		{ID: "bare"},
	}
}

func goldenTerms() []identity.Terms {
	var all []identity.Terms
	for _, t := range identity.TermsTypes() {
		all = append(all, identity.Terms{Type: t, Version: "2", URL: "https://aviso.example/" + string(t)})
	}
	return all
}

// goldenUsers are one with all there is, and one without what may be missing.
func goldenUsers() []identity.User {
	full := erika()
	full.Acceptances = []identity.TermsAcceptance{
		{Type: identity.TermsOperator, Version: "2", AcceptedAt: at.Add(time.Second)},
	}
	bare := identity.User{
		Owner: owner.User{Partner: "p", ID: "bare"}, CountryCode: "DE", LanguageCode: "de", CreatedAt: at,
	}
	return []identity.User{full, bare}
}

// goldenTasks are erasures that have been begun, counted, and completed.
func goldenTasks() []identity.ErasureTask {
	task := func(id string) identity.ErasureTask {
		return identity.ErasureTask{
			ID: id, User: owner.User{Partner: "p", ID: owner.UserID("user-" + id)}, RequestedAt: at,
		}
	}
	return []identity.ErasureTask{task("begun"), task("counted"), task("done")}
}

// goldenClocks are one that is being advanced, and one that runs ahead.
func goldenClocks() []identity.UserClock {
	user := func(id owner.UserID) owner.User { return owner.User{Partner: "p", ID: id} }
	return []identity.UserClock{
		{
			User: user("customer-1"), Setting: clock.Setting{Ahead: time.Hour, Stopped: at.Add(time.Hour)},
			Until: at.Add(24 * time.Hour), MovedAt: clock.Real(at), LeaseUntil: clock.Real(at.Add(time.Minute)), Version: 1,
		},
		{User: user("bare"), Setting: clock.Setting{Ahead: 24 * time.Hour}, MovedAt: clock.Real(at), Version: 1},
	}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	ctx, db, table, outbox := t.Context(), testenv.DynamoDB(t), testenv.Table(t, "IdentityTable"), testenv.Table(t, "OutboxTable")
	store := identitydb.New(db, table)
	erasing := identitydb.NewErasureTaskStore(store, outbox, func() string { return "event" })
	for _, p := range goldenPartners() {
		require.NoError(t, store.PutPartner(ctx, p))
	}
	for _, terms := range goldenTerms() {
		require.NoError(t, store.PublishTerms(ctx, terms))
	}
	for _, u := range goldenUsers() {
		require.NoError(t, store.CreateUser(ctx, u, nil))
		for _, a := range u.Acceptances {
			require.NoError(t, store.Accept(ctx, u.Owner, a, nil))
		}
	}
	for i, task := range goldenTasks() {
		user := identity.User{Owner: task.User, ExternalID: "external-" + task.ID, CreatedAt: at}
		require.NoError(t, store.CreateUser(ctx, user, nil))
		require.NoError(t, store.BeginErasure(ctx, task.User, identity.ErasureReceipt{
			ID: task.ID, Partner: task.Partner, Status: identity.ErasureRunning, RequestedAt: at,
		}))
		if i > 0 {
			require.NoError(t, erasing.NoteCounts(ctx, task, map[string]int{"accounts": 2}))
		}
		if i > 1 {
			require.NoError(t, erasing.CompleteErasure(ctx, task, clock.Real(at.Add(time.Minute))))
		}
	}
	clocks := identitydb.NewClockStore(store, outbox, func() time.Time { return at }, func() string { return "clock" })
	for _, c := range goldenClocks() {
		c.Version--
		_, err := clocks.SaveClock(ctx, c)
		require.NoError(t, err)
	}
	testenv.Golden(t, map[string]string{"IdentityTable": table, "OutboxTable": outbox})
}

func TestGoldenItemsAreRead(t *testing.T) {
	ctx := t.Context()
	store := identitydb.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "IdentityTable"))
	for _, want := range goldenPartners() {
		got, err := store.Partner(ctx, want.ID)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range goldenUsers() {
		got, terms, err := store.UserWithTerms(ctx, want.Owner)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, goldenTerms(), terms)
	}
	got, err := store.UserByExternalID(ctx, "p", "customer-1")
	require.NoError(t, err)
	assert.Equal(t, goldenUsers()[0], got)

	clocks := identitydb.NewClockStore(store, "", time.Now, nil)
	for _, want := range goldenClocks() {
		got, err := clocks.Clock(ctx, want.User)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}

	tasks, err := store.ErasureTasks(ctx)
	require.NoError(t, err)
	running := goldenTasks()[:2]
	running[1].Counted = true
	assert.Equal(t, running, tasks)
	for id, want := range map[string]identity.ErasureReceipt{
		"begun": {Status: identity.ErasureRunning, Counts: map[string]int{"users": 1, "termsAcceptances": 0}},
		"done": {
			Status: identity.ErasureCompleted, CompletedAt: at.Add(time.Minute),
			Counts: map[string]int{"users": 1, "termsAcceptances": 0, "accounts": 2},
		},
	} {
		want.ID, want.Partner, want.RequestedAt = id, "p", at
		got, err := store.Erasure(ctx, "p", id)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
