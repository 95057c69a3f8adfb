package console_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/testenv"
)

// userStores are the stores of users and of what they have.
type userStores struct {
	people    *identity.Users
	rows      *identitydb.Store
	banking   *pfmdb.Store
	letters   *cancellationdb.Store
	clocks    *identity.UserClocks
	clockRows *identitydb.ClockStore
	now       func() time.Time
}

func newUserStores(t *testing.T, db *dynamodb.Client, rows *identitydb.Store, now func() time.Time) userStores {
	t.Helper()
	outbox := testenv.Table(t, "OutboxTable")
	agreements := identity.NewAgreements(rows, now)
	for _, kind := range []identity.TermsType{identity.TermsOperator, identity.TermsBankingSupplier} {
		require.NoError(t, agreements.Publish(t.Context(), identity.Terms{Type: kind, Version: "1", URL: "https://aviso.example/t"}))
	}
	people, clockRows := identity.NewUsers(rows, now, uuid.NewString), identitydb.NewClockStore(rows, outbox, now, uuid.NewString)
	return userStores{
		people: people, rows: rows, now: now,
		banking: pfmdb.New(db, testenv.Table(t, "PfmTable"), outbox, now, uuid.NewString),
		letters: cancellationdb.New(db, testenv.Table(t, "CancellationTable"), outbox, now, uuid.NewString),
		clocks:  identity.NewUserClocks(clockRows, people, now), clockRows: clockRows,
	}
}

func (s userStores) fitIn(o *console.Options) {
	o.Users, o.Connections, o.Cancellations, o.Clocks = s.people, s.banking, s.letters, s.clocks
	agreements := identity.NewAgreements(s.rows, s.now)
	o.Connecting = connection.New(connection.Deps{
		Store: s.banking, Gate: agreements.Gate(identity.PFMTerms()...), AnyUser: agreements.Gate(),
		ReturnURL: identity.NewPartners(s.rows).ReturnURL, Now: s.now, NewID: uuid.NewString, NewSecret: keyring.RandomToken,
	})
	o.Product = func(_ context.Context, organization, _ string) (catalogue.Organization, catalogue.Product, error) {
		if organization == "gone" {
			return catalogue.Organization{}, catalogue.Product{}, outcome.ErrNotFound
		}
		return catalogue.Organization{Name: "Streamwerk"}, catalogue.Product{Name: "Streamwerk Plus"}, nil
	}
}

func (s userStores) create(t *testing.T, partner owner.PartnerID, externalID string) owner.User {
	t.Helper()
	u, _, err := s.people.Create(t.Context(), partner, identity.NewUser{
		ExternalID: externalID, CountryCode: "DE", LanguageCode: "de",
	}, nil)
	require.NoError(t, err)
	return u.Owner
}

// connect creates a connection that was read, with an account whose details no page may show.
func (s userStores) connect(t *testing.T, user owner.User, change ...func(*connection.Connection)) connection.Connection {
	t.Helper()
	now := s.now()
	k := connection.Connection{
		ID: uuid.NewString(), Owner: user, ProviderID: "0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11",
		ProviderName: "Bank of " + marker, Status: connection.Active, CreatedAt: now.Add(-91 * time.Hour), UpdatedAt: now,
		AuthorisedAt: now.Add(-90 * time.Hour), ConsentExpiresAt: now.Add(89 * 24 * time.Hour), AutomaticFetch: true,
		LastSuccessAt: now.Add(-2 * time.Hour), SyncEndedAt: now.Add(-2 * time.Hour), RefreshTimeoutMinutes: 60,
	}
	for _, f := range change {
		f(&k)
	}
	require.NoError(t, s.banking.CreateConnection(t.Context(), k, nil))
	lease := connection.Lease{Token: "test", Until: now.Add(time.Minute)}
	_, err := s.banking.AcquireSync(t.Context(), user, k.ID, lease, now)
	require.NoError(t, err)
	for _, kind := range []pfm.AccountType{pfm.AccountCurrent, pfm.AccountCurrent, pfm.AccountCreditCard} {
		require.NoError(t, s.banking.SaveAccounts(t.Context(), lease, []pfm.Account{{
			ID: uuid.NewString(), Owner: user, ConnectionID: k.ID, Name: "Erika's secret account", IBAN: "DE02100100100006820101",
			Number: "6820101", Type: kind, Currency: "EUR", Balance: money.MustParse("4711.93"), CreatedAt: now, UpdatedAt: now,
		}}))
	}
	return k
}

// cancel creates a cancellation with a letter, which only admins may see.
func (s userStores) cancel(
	t *testing.T, user owner.User, change ...func(*cancellation.Cancellation),
) cancellation.Cancellation {
	t.Helper()
	now := s.now()
	k := cancellation.Cancellation{
		ID: uuid.Must(uuid.NewV7()).String(), Owner: user, ExternalID: marker, OrganizationID: "streamwerk", ProductID: "plus",
		Locale: "de-DE", Status: cancellation.StatusSent, CreatedAt: now.Add(-time.Hour), UpdatedAt: now, LetterSHA256: "abcdef",
		TrackingNumber: "RB123456789DE",
		History: []cancellation.Step{
			{Status: cancellation.StatusCreated, At: now.Add(-60 * time.Minute)},
			{Status: cancellation.StatusQueued, At: now.Add(-59 * time.Minute)},
			{Status: cancellation.StatusSent, At: now.Add(-58 * time.Minute)},
			{Status: cancellation.StatusQueued, At: now.Add(-40 * time.Minute)},
			{Status: cancellation.StatusSent, At: now.Add(-30 * time.Minute)},
		},
		Channels: []cancellation.Channel{
			{Kind: cancellation.ChannelEmail, Email: "kuendigung@streamwerk.example"},
			{Kind: cancellation.ChannelRegisteredMail}, {Kind: cancellation.ChannelFax, Fax: "+4922155500123"},
		},
		ChannelIndex: 1,
	}
	for _, f := range change {
		f(&k)
	}
	letter := cancellation.StoredLetter{
		Document: cancellation.Document{
			PDF: []byte("%PDF-1.7 " + marker + " Erika Mustermann"), Subject: "Kündigung K-4711", Text: "Erika Mustermann",
			FileName: "Kuendigung.pdf",
		},
		SenderName: "Erika Mustermann", ReplyTo: "erika@private.example",
	}
	require.NoError(t, s.letters.CreateCancellation(t.Context(), k, letter, "content", request.Earlier{Any: true}, nil))
	return k
}

// erase takes the user's row away, as an erasure does before anything else.
func (s userStores) erase(t *testing.T, user owner.User) {
	t.Helper()
	_, err := identity.NewUsers(s.rows, s.now, uuid.NewString).Erase(t.Context(), user)
	require.NoError(t, err)
}

// alphaUses returns the IDs of a user of alpha, and of what the user has.
func alphaUses(t *testing.T, w *world) map[string]string {
	t.Helper()
	user := w.users.create(t, "alpha", marker)
	return map[string]string{
		"userId": string(user.ID), "connectionId": w.users.connect(t, user).ID,
		"cancellationId": w.users.cancel(t, user).ID,
	}
}

// move sets the clock of a user to a time.
func (s userStores) move(t *testing.T, user owner.User, to time.Time) {
	t.Helper()
	k, err := s.clockRows.Clock(t.Context(), user)
	require.NoError(t, err)
	k.Setting = clock.Setting{Ahead: to.Sub(s.now())}
	_, err = s.clockRows.SaveClock(t.Context(), k)
	require.NoError(t, err)
}
