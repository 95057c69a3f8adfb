package cancellationdb_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/request"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

type tables struct {
	*cancellationdb.Store
	clock        *clocktest.Clock
	db           *dynamodb.Client
	main, outbox string
}

func newTables(t *testing.T) *tables {
	t.Helper()
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, config.CountCalls) })
	s := &tables{clock: clocktest.New(), db: db, main: testenv.Table(t, "CancellationTable"), outbox: testenv.Table(t, "OutboxTable")}
	s.Store = cancellationdb.New(s.db, s.main, s.outbox, s.clock.Now, uuid.NewString)
	return s
}

// Returns a cancellation with a value in every member. n orders them by time.
func a(n int) cancellation.Cancellation {
	at := time.Date(2026, 3, 2, 12, 0, n, 5e6, time.UTC)
	return cancellation.Cancellation{
		ID: fmt.Sprintf("0196f1de-%04d-7c55-9a0e-3d5c7a1f2b44", n), Owner: cancellationtest.User(),
		ExternalID: fmt.Sprint("order-", n), OrganizationID: uuid.NewString(), ProductID: uuid.NewString(),
		Locale: "de-DE", EndDate: "2026-05-31", Status: cancellation.StatusSending, Reason: cancellation.ReasonNone,
		CreatedAt: at, UpdatedAt: at.Add(time.Second), LetterSHA256: "abc", TrackingNumber: "RR1",
		History:      []cancellation.Step{{Status: cancellation.StatusCreated, At: at}, {Status: cancellation.StatusQueued, At: at}},
		Channels:     cancellationtest.NewProducts()[catalogue.ProductID("streaming", "contract")].Channels,
		ChannelIndex: 1,
		Delivery: cancellation.Delivery{
			ShipmentID: uuid.NewString(), LeaseUntil: at.Add(time.Minute), Since: at, TriedAt: at.Add(time.Second),
			Tries: 2, Reference: "r",
		},
		NextTryAt:  at.Add(time.Minute),
		AtCarriers: []cancellation.CarrierLetter{{Channel: cancellation.ChannelFax, Reference: fmt.Sprint("r", n)}},
	}
}

func letter() cancellation.StoredLetter {
	return cancellation.StoredLetter{
		Document: cancellation.Document{
			PDF: []byte("%PDF-1.7 \x00\xff"), Subject: "Kündigung", Text: "Anbei.", FileName: "Kuendigung.pdf",
		},
		SenderName: "Anna Sommer", ReplyTo: "anna@example.org",
	}
}

// asStored returns c as the store returns it.
func asStored(c cancellation.Cancellation) cancellation.Cancellation {
	c, err := c.Sealed()
	if err != nil {
		panic(err)
	}
	c.Received = nil
	c.Stored = cancellation.Stored{History: len(c.History), AtCarriers: len(c.AtCarriers)}
	return c
}

func (s *tables) create(t *testing.T, c cancellation.Cancellation) cancellation.Cancellation {
	t.Helper()
	require.NoError(t, s.CreateCancellation(t.Context(), c, letter(), "digest "+c.ID, request.Earlier{}, nil))
	return asStored(c)
}

func TestRequestStore(t *testing.T) {
	s := newTables(t)
	c := s.create(t, a(1))
	user := c.Owner

	t.Run("round-trips", func(t *testing.T) {
		got, err := s.Cancellation(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, c, got)
		l, err := s.Letter(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, letter(), l)
		id, content, err := s.ByExternalID(t.Context(), user, "order-1")
		require.NoError(t, err)
		assert.Equal(t, c.ID, id)
		assert.Equal(t, "digest "+c.ID, content)
		whose, err := s.CancellationOwner(t.Context(), c.ID)
		require.NoError(t, err)
		assert.Equal(t, user, whose)
	})

	t.Run("separates users", func(t *testing.T) {
		for _, other := range []owner.User{{Partner: "q", ID: user.ID}, {Partner: user.Partner, ID: "someone-else"}} {
			_, err := s.Cancellation(t.Context(), other, c.ID)
			require.ErrorIs(t, err, outcome.ErrNotFound)
			_, err = s.Letter(t.Context(), other, c.ID)
			require.ErrorIs(t, err, outcome.ErrNotFound)
			_, _, err = s.ByExternalID(t.Context(), other, "order-1")
			require.ErrorIs(t, err, outcome.ErrNotFound)
			list, _, err := s.Cancellations(t.Context(), other, request.Filter{}, 10, "")
			require.NoError(t, err)
			assert.Empty(t, list)
		}
	})

	t.Run("refuses a duplicate external identifier and writes nothing", func(t *testing.T) {
		second := a(2)
		second.ExternalID = "order-1"
		err := s.CreateCancellation(t.Context(), second, letter(), "x", request.Earlier{}, nil)
		require.ErrorIs(t, err, request.ErrExternalIDTaken)
		_, err = s.Cancellation(t.Context(), user, second.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("lets only one of many take an external identifier", func(t *testing.T) {
		var all errgroup.Group
		won := make(chan string, 8)
		for n := range 8 {
			all.Go(func() error {
				c := a(100 + n)
				c.ExternalID = "race"
				err := s.CreateCancellation(t.Context(), c, letter(), "x", request.Earlier{}, nil)
				if err == nil {
					won <- c.ID
				}
				return nil
			})
		}
		require.NoError(t, all.Wait())
		require.Len(t, won, 1)
		id, _, err := s.ByExternalID(t.Context(), user, "race")
		require.NoError(t, err)
		assert.Equal(t, <-won, id)
	})

	t.Run("replaces only the version that was read", func(t *testing.T) {
		changed := c
		changed.Status, changed.ChannelIndex = cancellation.StatusSent, 2
		changed.AtCarriers = append([]cancellation.CarrierLetter(nil), c.AtCarriers...)
		changed.AtCarriers = append(
			changed.AtCarriers,
			cancellation.CarrierLetter{Channel: cancellation.ChannelRegisteredMail, Reference: "p"},
		)
		saved, err := s.SaveCancellation(t.Context(), changed)
		require.NoError(t, err)
		got, err := s.Cancellation(t.Context(), user, c.ID)
		require.NoError(t, err)
		assert.Equal(t, got, saved)
		assert.Equal(t, c.Version+1, got.Version)
		_, err = s.SaveCancellation(t.Context(), changed)
		require.ErrorIs(t, err, outcome.ErrChanged)
		whose, id, err := s.ByReference(t.Context(), cancellation.ChannelMail, "p")
		require.NoError(t, err)
		assert.Equal(t, user, whose)
		assert.Equal(t, c.ID, id)
		_, _, err = s.ByReference(t.Context(), cancellation.ChannelFax, "p")
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})
}

// Two calls have read the same cancellation, and each writes a letter about its debits.
func TestADebitHasOneObjection(t *testing.T) {
	s := newTables(t)
	to := a(1)
	s.create(t, to)
	to, err := s.Cancellation(t.Context(), to.Owner, to.ID)
	require.NoError(t, err)
	for n, want := range []error{nil, outcome.ErrChanged} {
		objection := a(2 + n)
		objection.ExternalID, objection.Objects = "", &cancellation.Objected{CancellationID: to.ID}
		again := to
		again.Objections = []cancellation.SentObjection{{ID: objection.ID}}
		require.ErrorIs(t, s.CreateObjection(t.Context(), objection, letter(), again, nil), want)
		_, err := s.Letter(t.Context(), to.Owner, objection.ID)
		assert.Equal(t, want != nil, errors.Is(err, outcome.ErrNotFound))
	}
	to, err = s.Cancellation(t.Context(), to.Owner, to.ID)
	require.NoError(t, err)
	assert.Equal(t, []cancellation.SentObjection{{ID: a(2).ID}}, to.Objections)
}

func TestCancellationsAreListed(t *testing.T) {
	s := newTables(t)
	user := cancellationtest.User()
	for n := range 25 {
		c := a(n)
		if n%5 == 0 {
			c.Status = cancellation.StatusWithdrawn
		}
		s.create(t, c)
	}
	collect := func(t *testing.T, f request.Filter, limit int) (ids []string) {
		t.Helper()
		position := ""
		for range 60 {
			page, next, err := s.Cancellations(t.Context(), user, f, limit, position)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(page), limit)
			for _, c := range page {
				ids = append(ids, c.ID)
			}
			if next == "" {
				return ids
			}
			position = next
		}
		t.Fatal("the pages do not end")
		return nil
	}
	for _, limit := range []int{1, 7, 24, 25, 26, 200} {
		t.Run(fmt.Sprint("newest first, in pages of ", limit), func(t *testing.T) {
			ids := collect(t, request.Filter{}, limit)
			require.Len(t, ids, 25)
			assert.Equal(t, a(24).ID, ids[0])
			assert.IsDecreasing(t, ids)
			assert.Len(t, collect(t, request.Filter{Status: cancellation.StatusWithdrawn}, limit), 5)
			assert.Len(
				t, collect(t, request.Filter{Status: cancellation.StatusQueued}, limit), 20,
				"what is being sent is shown as queued",
			)
			assert.Equal(t, []string{a(3).ID}, collect(t, request.Filter{ExternalID: "order-3"}, limit))
		})
	}
	t.Run("one with an identifier is on the first page, however many are newer", func(t *testing.T) {
		page, next, err := s.Cancellations(t.Context(), user, request.Filter{ExternalID: "order-0"}, 1, "")
		require.NoError(t, err)
		require.Len(t, page, 1)
		assert.Equal(t, a(0).ID, page[0].ID)
		assert.Empty(t, next)
		delivered := request.Filter{ExternalID: "order-0", Status: cancellation.StatusDelivered}
		page, next, err = s.Cancellations(t.Context(), user, delivered, 1, "")
		require.NoError(t, err)
		assert.Empty(t, page)
		assert.Empty(t, next)
	})
	t.Run("a new row between pages neither repeats nor hides others", func(t *testing.T) {
		page, next, err := s.Cancellations(t.Context(), user, request.Filter{}, 10, "")
		require.NoError(t, err)
		s.create(t, a(30))
		rest, _, err := s.Cancellations(t.Context(), user, request.Filter{}, 200, next)
		require.NoError(t, err)
		assert.Len(t, append(page, rest...), 25)
	})
}

func TestDeleteCancellations(t *testing.T) {
	s := newTables(t)
	for n := range 30 {
		s.create(t, a(n))
	}
	other := a(99)
	other.Owner.ID = "someone-else"
	s.create(t, other)
	all, err := s.AllCancellations(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	require.Len(t, all, 30)
	require.NoError(t, s.DeleteCancellations(t.Context(), cancellationtest.User(), all))
	out, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &s.main})
	require.NoError(t, err)
	assert.Len(t, out.Items, 5, "the other user's record, letter, identifier and pointers")
}
