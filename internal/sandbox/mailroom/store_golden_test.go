package mailroom_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// These records make the golden items, each with all members and with only its key; see
// testenv.Golden.

func goldenLetters() []mailroom.Letter {
	at := mailroomtest.Start()
	return []mailroom.Letter{
		{
			ID: "1", Carrier: mailroom.Post, How: mailroom.RegisteredMail, State: "sent", To: "Lampe, 1010 Wien",
			CancellationID: "cancellation",
			FileName:       "k.pdf", Pages: 2, HasFile: true, Base: "https://post.example", CreatedAt: at,
			UpdatedAt: at.Add(1), SubmittedAt: at.Add(2),
			CompletedAt: at.Add(3), History: []mailroom.Entry{{State: "valid", At: at}}, Fate: mailroom.Bounce,
			HeldUntil: at.Add(time.Hour),
			Notices: []mailroom.Notice{{
				ID: "n", Event: "sent", State: "sent", Code: "c", Reason: "r", At: at, Attempts: 1, LastStatus: 500,
				LastAt: at.Add(4), Acknowledged: true,
			}},
			Posted: mailroom.Posted{
				AddressPosition: "left", DeliveryProduct: "cheap", PrintMode: "duplex", PrintSpectrum: "grayscale",
				Country: "AT", TrackingNumber: "RR1", AutoSend: true,
			},
			Faxed: mailroom.Faxed{
				From: "+4930123456", CallbackURL: "https://callback.example", CallbackType: "application/json",
				ServiceID:      "service",
				HeaderTimeZone: "Europe/Berlin", Resolution: "FINE",
				ErrorType:    "CALL_ERROR",
				ErrorMessage: "busy", ErrorCode: 17, MaxRetries: 3, RetryCount: 1,
				Labels: map[string]string{"cancellation": "c"},
			},
		},
		{ID: "2", CreatedAt: at},
		{ID: "3", CreatedAt: at, Partner: "partner"},
	}
}

func goldenDocuments() []mailroom.Document {
	forget := mailroomtest.Start().Add(time.Hour)
	return []mailroom.Document{
		{LetterID: "1", Content: []byte("%PDF \x00\xff"), Forget: forget}, {LetterID: "2", Forget: forget},
	}
}

func goldenAnswers() []mailroom.Answer {
	forget := mailroomtest.Start().Add(time.Hour)
	return []mailroom.Answer{
		{ID: "full", Request: "digest", Status: 201, Body: []byte(`{"id":"1"}`), Forget: forget},
		{ID: "bare", Forget: forget},
	}
}

func goldenSettings() []mailroom.Setting {
	until := mailroomtest.Start().Add(time.Hour)
	return []mailroom.Setting{
		{Carrier: mailroom.Fax, Behaviour: mailroom.Throttle, Until: until}, {Carrier: mailroom.Post, Until: until},
		{Carrier: mailroom.Post, Partner: "partner", Until: until},
	}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	table := testenv.Table(t, "SandboxTable")
	store := mailroom.Store{Store: sandboxdb.New(testenv.DynamoDB(t), table, mailroomtest.Start)}
	for i, document := range goldenDocuments() {
		require.NoError(t, store.Save(t.Context(), goldenLetters()[i], document, goldenAnswers()[i],
			goldenSettings()[i]))
	}
	// Those of a partner came later.
	require.NoError(t, store.Save(t.Context(), goldenLetters()[2], goldenSettings()[2]))
	testenv.Golden(t, map[string]string{"SandboxTable": table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	store := mailroom.Store{Store: sandboxdb.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "SandboxTable"), mailroomtest.Start)}
	letters := goldenLetters()
	for i := range letters {
		letters[i].Version = 1
		got, err := store.Letter(t.Context(), letters[i].ID)
		require.NoError(t, err)
		assert.Equal(t, letters[i], got)
	}
	newest, err := store.Letters(t.Context(), "", 10, nil)
	require.NoError(t, err)
	assert.Equal(t, []mailroom.Letter{letters[2], letters[1], letters[0]}, newest)
	require.NoError(t, store.Save(t.Context(), letters[0]), "replaces the version that was read")
	for _, want := range goldenDocuments() {
		got, err := sandboxdb.Get(t.Context(), store.Store, mailroom.Document{LetterID: want.LetterID})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range goldenAnswers() {
		got, err := sandboxdb.Get(t.Context(), store.Store, mailroom.Answer{ID: want.ID})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range goldenSettings() {
		got, err := sandboxdb.Get(t.Context(), store.Store, mailroom.Setting{Carrier: want.Carrier, Partner: want.Partner})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
