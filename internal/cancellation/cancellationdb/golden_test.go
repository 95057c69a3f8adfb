package cancellationdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
	"aviso/internal/outcome"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

// The golden items are made of these, each with all attributes and without optional
// ones; see testenv.Golden.

func goldenChannels() []cancellation.Channel {
	office := &cancellation.PostalAddress{
		Recipient: []string{"Lampe", "Service"}, Street: "Weg 1", PostalCode: "1010", City: "Wien", CountryCode: "AT",
	}
	box := &cancellation.PostalAddress{Recipient: []string{"Lampe"}, PostalCode: "1011", City: "Wien", CountryCode: "AT"}
	return []cancellation.Channel{
		{Kind: cancellation.ChannelRegisteredMail, Address: office}, {Kind: cancellation.ChannelMail, Address: box},
		{Kind: cancellation.ChannelEmail, Email: "service@lampe.example"},
		{Kind: cancellation.ChannelFax, Fax: "+4930123456"},
	}
}

// goldenEntries has an inactive second entry, which is in no list.
func goldenEntries() []catalogue.Entry {
	locales := []cancellation.Locale{"de-AT", "de-DE"}
	return []catalogue.Entry{
		{
			Organization: catalogue.Organization{
				ID: "full", Slug: "lampe", CategoryID: "energy", Name: "Lämpe & Söhne", ExtraConsent: true,
				URL: "https://lampe.example", Locales: locales,
			},
			Products: []catalogue.Product{
				{
					ID: "power", Slug: "power", OrganizationID: "full", Name: "Power", Locales: locales,
					Form: catalogue.FormWritten, Channels: goldenChannels(),
					Fields: []catalogue.Field{
						{
							Key:    "METER",
							Labels: map[cancellation.Locale]string{"de-AT": "Zähler", "de-DE": "Zählernummer"},
							Format: "^[0-9]{8}$",
						},
						{
							Key:    catalogue.FieldName,
							Labels: map[cancellation.Locale]string{"de-AT": "Name", "de-DE": "Name"},
						},
					},
					Terms: []deadline.Terms{
						{
							ValidFrom: "2024-01-01", ValidUntil: "2025-12-31", Sector: "Energy", MinimumTerm: "P1Y",
							NoticePeriod: "P1M", Renewal: deadline.RenewalFixed, RenewalTerm: "P1M", EndOf: deadline.EndOfMonth,
							Source: "Terms of 2024, section 7",
						},
						{
							ValidFrom: "2026-01-01", Sector: "Energy", NoticePeriod: "P2W", Renewal: deadline.RenewalOpen,
							Source: "Terms of 2026, section 7",
						},
					},
				},
				{
					ID: "gas", Slug: "gas", OrganizationID: "full", Name: "Gas", Locales: locales[:1],
					Form: catalogue.FormText,
				},
			},
		},
		{
			Organization: catalogue.Organization{
				ID: "bare", Slug: "bare", CategoryID: "energy", Name: "Bare", Locales: locales[:1], Inactive: true,
			},
			Products: []catalogue.Product{
				{
					ID: "stale", Slug: "stale", OrganizationID: "bare", Name: "Stale", Locales: locales[:1],
					Form: catalogue.FormText, Inactive: true,
				},
			},
		},
	}
}

// goldenStored is what imports read about the entries. The write of the second has
// not finished.
func goldenStored() catalogue.Stored {
	full := goldenEntries()[0].Organization
	return catalogue.Stored{
		Version: catalogue.Version{
			ID: "v1", Digest: "digest", At: goldenAt(0), Categories: 1, Organizations: 2, Products: 3, New: 4,
			Changed: 5, Removed: 6,
		},
		Entries: map[string]catalogue.StoredEntry{
			"full": {
				Slug: "lampe", Digest: "digest of full", ProductIDs: []string{"power", "gas"},
				Placements: []catalogue.Placement{{Name: full.Name, CategoryID: "energy", Locales: full.Locales}},
			},
			"bare": {Slug: "bare", ProductIDs: []string{"stale"}},
		},
	}
}

func goldenCategories() []catalogue.Category {
	return []catalogue.Category{
		{ID: "energy", Slug: "energy", Names: map[string]string{"en": "Energy", "de": "Energie"}},
	}
}

func goldenLease() catalogue.ImportLease {
	return catalogue.ImportLease{Token: "token", Until: goldenAt(60)}
}

func goldenAt(minute int) time.Time { return time.Date(2026, 3, 2, 12, minute, 0, 5e6, time.UTC) }

// goldenCancellation returns a cancellation with all attributes: as created, and as
// saved after a second carrier got a letter.
func goldenCancellation() (created, saved cancellation.Cancellation) {
	created = cancellation.Cancellation{
		ID: "full", Owner: cancellationtest.User(), ExternalID: "order-1", OrganizationID: "full", ProductID: "power",
		Locale: "de-AT", EndDate: "2026-12-31",
		Cause:  deadline.Reason{Kind: deadline.ReasonPriceRise, Date: "2026-11-01", Article: "§ 135 Abs. 8 TKG 2021"},
		Status: cancellation.StatusSending, Reason: cancellation.ReasonCarrierRefused, CreatedAt: goldenAt(1),
		UpdatedAt:    goldenAt(2),
		LetterSHA256: "abc", TrackingNumber: "RR1", SubscriptionID: "contract",
		History: []cancellation.Step{{
			Status: cancellation.StatusCreated, At: goldenAt(1),
			Fact: evidence.Fact{
				Actor: evidence.ActorPartner, Event: evidence.EventRequested,
				Proofs: []evidence.Proof{{Kind: evidence.ProofRequest, SHA256: new(evidence.Of([]byte("request")))}},
			},
		}},
		Channels: goldenChannels(), ChannelIndex: 1, NextTryAt: goldenAt(7),
		Delivery: cancellation.Delivery{
			ShipmentID: "shipment", LeaseUntil: goldenAt(3), Since: goldenAt(4), TriedAt: goldenAt(5), Tries: 2,
			Reference: "r",
		},
	}
	saved = asStored(created)
	saved.History = append(saved.History, cancellation.Step{Status: cancellation.StatusQueued, At: goldenAt(2)},
		cancellation.Step{
			At: goldenAt(3), Said: "550 5.1.1 User unknown",
			Fact: evidence.Fact{
				Actor: evidence.ActorCarrier, Event: evidence.EventUndelivered, Channel: "Fax", Reason: "CALL_ERROR-17",
				Proofs: []evidence.Proof{
					{Kind: evidence.ProofReference, Value: "fax"},
					{Kind: evidence.ProofDocument, SHA256: new(evidence.Of([]byte("report")))},
				},
			},
		})
	saved.Seen = cancellation.Seen{
		Number: 2, Outcome: cancellation.OutcomeStillDebited, Reason: "DebitAfterEnd", End: "2026-03-31", Effective: true,
		Debits: []cancellation.Debit{{
			TransactionID: "debit", Date: "2026-04-04", Amount: "-9.99", Currency: "EUR", RefundID: "refund",
		}},
	}
	saved.Received = []evidence.Received{{Body: []byte("report"), Signature: "signature"}}
	saved.AtCarriers = []cancellation.CarrierLetter{
		{Channel: cancellation.ChannelRegisteredMail, Reference: "paper", Deleted: true},
		{Channel: cancellation.ChannelFax, Reference: "fax"},
	}
	return created, saved
}

func goldenBare() cancellation.Cancellation {
	return cancellation.Cancellation{
		ID: "bare", Owner: cancellationtest.User(), Status: cancellation.StatusWithdrawn, CreatedAt: goldenAt(1),
	}
}

// goldenObjection returns an objection, and the cancellation that it belongs to.
func goldenObjection() (objection, to cancellation.Cancellation) {
	to = goldenBare()
	to.Objections = []cancellation.SentObjection{{ID: "objection", TransactionIDs: []string{"debit"}}}
	objection = cancellation.Cancellation{
		ID: "objection", Owner: cancellationtest.User(), Status: cancellation.StatusSent, CreatedAt: goldenAt(8),
		Objects: &cancellation.Objected{
			CancellationID: "bare", EnclosureSHA256: "def", JoinedSHA256: "ghi",
			Debits: []cancellation.Debit{{TransactionID: "debit", Date: "2026-04-04", Amount: "-9.99", Currency: "EUR"}},
		},
	}
	return objection, to
}

func enclosing() cancellation.StoredLetter {
	l := letter()
	l.Enclosure, l.AddressOnTheRight = []byte("%PDF-1.3 evidence"), true
	return l
}

func goldenEvidence() evidence.Signed {
	return evidence.Signed{
		Head: evidence.Of([]byte("head")), Document: []byte("document"), Summary: []byte("summary"),
		Signature: []byte("signature"), Stamp: []byte("stamp"),
	}
}

func goldenJob(kind cancellation.JobKind) cancellation.Job {
	user := cancellationtest.User()
	return cancellation.Job{Kind: kind, Partner: user.Partner, User: user.ID, CancellationID: "full"}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	ctx, table, outbox, ids := t.Context(), testenv.Table(t, "CancellationTable"), testenv.Table(t, "OutboxTable"), 0
	newID := func() string { ids++; return fmt.Sprint("message-", ids) }
	store := cancellationdb.New(testenv.DynamoDB(t), table, outbox, clocktest.New().Now, newID)

	require.NoError(t, store.AcquireImport(ctx, goldenLease(), goldenAt(0)))
	var changes []catalogue.EntryChange
	for _, e := range goldenEntries() {
		id := e.Organization.ID
		changes = append(changes, catalogue.EntryChange{
			OrganizationID: id, Entry: &e, Digest: goldenStored().Entries[id].Digest,
		})
	}
	require.NoError(t, store.WriteEntries(ctx, goldenLease(), changes))
	require.NoError(t, store.PublishCatalogue(ctx, goldenLease(), nil, goldenCategories(), goldenStored().Version))
	require.NoError(t, store.AcquireImport(ctx, goldenLease(), goldenAt(0))) // publishing released it

	created, saved := goldenCancellation()
	require.NoError(t, store.CreateCancellation(ctx, created, letter(), "digest", request.Earlier{}, nil, goldenJob(cancellation.JobSend)))
	_, err := store.SaveCancellation(ctx, saved, goldenJob(cancellation.JobErase))
	require.NoError(t, err)
	require.NoError(t, store.CreateCancellation(ctx, goldenBare(), cancellation.StoredLetter{}, "", request.Earlier{}, nil))
	require.NoError(t, store.SaveEvidence(ctx, created.Owner, "full", goldenEvidence()))
	objection, to := goldenObjection()
	both := enclosing()
	both.Joined = []byte("%PDF-1.3 joined")
	require.NoError(t, store.CreateObjection(ctx, objection, both, to, nil, goldenJob(cancellation.JobSend)))
	testenv.Golden(t, map[string]string{"CancellationTable": table, "OutboxTable": outbox})
}

func TestGoldenCatalogueIsRead(t *testing.T) {
	ctx, db, table := t.Context(), testenv.DynamoDB(t), testenv.GoldenTable(t, "CancellationTable")
	store := cancellationdb.New(db, table, "no outbox", clocktest.New().Now, nil)
	full := goldenEntries()[0]
	entry, err := store.Entry(ctx, "full")
	require.NoError(t, err)
	assert.Equal(t, full, entry)
	_, err = store.Entry(ctx, "bare")
	require.ErrorIs(t, err, outcome.ErrNotFound, "it is inactive")
	categories, err := store.Categories(ctx)
	require.NoError(t, err)
	assert.Equal(t, goldenCategories(), categories)
	for _, f := range []catalogue.SearchFilter{
		{}, {Locale: "de-DE"}, {CategoryID: "energy"}, {Locale: "de-AT", CategoryID: "energy"},
	} {
		page, _, err := store.Organizations(ctx, f, 10, "")
		require.NoError(t, err)
		assert.Equal(t, []catalogue.Organization{full.Organization}, page)
	}
	first, err := store.FirstProducts(ctx, []string{"full", "bare"})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"full": "power"}, first)

	version, err := store.CatalogueVersion(ctx)
	require.NoError(t, err)
	assert.Equal(t, "v1", version)
	stored, err := store.StoredCatalogue(ctx)
	require.NoError(t, err)
	assert.Equal(t, goldenStored(), stored)
	other := catalogue.ImportLease{Token: "other", Until: goldenAt(90)}
	require.ErrorIs(t, store.AcquireImport(ctx, other, goldenAt(59)), outcome.ErrChanged)
	require.NoError(t, store.ReleaseImport(ctx, goldenLease()))
	require.NoError(t, store.AcquireImport(ctx, other, goldenAt(59)))
}

func TestGoldenRequestsAreRead(t *testing.T) {
	ctx, user := t.Context(), cancellationtest.User()
	store := cancellationdb.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "CancellationTable"), "no outbox", clocktest.New().Now, nil)
	_, full := goldenCancellation()
	objection, bare := goldenObjection()
	full = asStored(full)
	full.Version, bare.Version = 1, 1
	joined, err := store.JoinedLetter(ctx, user, "objection")
	require.NoError(t, err)
	assert.Equal(t, "%PDF-1.3 joined", string(joined))
	for id, want := range map[string]cancellation.StoredLetter{"full": letter(), "bare": {}, "objection": enclosing()} {
		got, err := store.Letter(ctx, user, id)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range []cancellation.Cancellation{full, bare, objection} {
		got, err := store.Cancellation(ctx, user, want.ID)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		whose, err := store.CancellationOwner(ctx, want.ID)
		require.NoError(t, err)
		assert.Equal(t, user, whose)
	}
	page, _, err := store.Cancellations(ctx, user, request.Filter{}, 10, "")
	require.NoError(t, err)
	assert.Equal(t, []cancellation.Cancellation{full, bare}, page)
	all, err := store.AllCancellations(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, []cancellation.Cancellation{bare, full, objection}, all)
	assert.Equal(t, []cancellation.Cancellation{full}, dueCancellations(t, store, full.NextTryAt))

	id, content, err := store.ByExternalID(ctx, user, "order-1")
	require.NoError(t, err)
	assert.Equal(t, [2]string{"full", "digest"}, [2]string{id, content})
	for _, l := range full.AtCarriers {
		whose, id, err := store.ByReference(ctx, l.Channel, l.Reference)
		require.NoError(t, err)
		assert.Equal(t, user, whose)
		assert.Equal(t, "full", id)
	}
	_, err = store.SaveCancellation(ctx, full)
	require.NoError(t, err, "over the version that was read")

	received, err := store.ReceivedDocuments(ctx, user, "full")
	require.NoError(t, err)
	assert.Equal(t, map[evidence.Digest]evidence.Received{
		evidence.Of([]byte("report")): {Body: []byte("report"), Signature: "signature"},
	}, received)
	signed, err := store.SignedEvidence(ctx, user, "full")
	require.NoError(t, err)
	want := goldenEvidence()
	want.Version = 1
	assert.Equal(t, want, signed)
	require.ErrorIs(t, store.SaveEvidence(ctx, user, "full", goldenEvidence()), outcome.ErrChanged)
	require.NoError(t, store.SaveEvidence(ctx, user, "full", signed))
}
