package console_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/console"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// world is a console with real stores and two partners.
type world struct {
	console  *console.Console
	options  console.Options
	partners *identity.Registrar
	store    *consoledb.Store
	past     *kept
	clock    *clocktest.Clock
	users    userStores
	log      *strings.Builder
	// secrets are those of the partners alpha and beta.
	secrets map[owner.PartnerID]string
	hooks   *hooks
}

// kept is what the feed has seen.
type kept struct{ *consoledb.Store }

func (k *kept) AddRequests(ctx context.Context, partner owner.PartnerID, all []feed.Request) error {
	return k.AddLines(ctx, partner, feed.Lines{ID: all[0].ID, At: all[0].At, Requests: all})
}

// called has a subscription of alpha get an event, with an attempt that ended like that.
func (w *world) called(t *testing.T, sub notification.Subscription, a notification.Attempt) {
	t.Helper()
	d, err := notificationtest.Create(t.Context(), w.hooks.store, notification.Delivery{
		DeliveryKey: notification.DeliveryKey{
			Partner: sub.Partner, SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, a.EventID),
		},
		EventID: a.EventID, EventType: a.EventType, Status: notification.DeliveryPending, CreatedAt: a.StartedAt, Attempt: 1,
	})
	require.NoError(t, err)
	d.Attempts = []notification.Attempt{a}
	d.Status = notification.DeliveryExhausted
	_, err = w.hooks.store.SaveDelivery(t.Context(), d, false)
	require.NoError(t, err)
	require.NoError(t, w.past.AddLines(t.Context(), sub.Partner, feed.Lines{
		ID: a.ID, At: a.StartedAt, Callbacks: map[string]int{string(a.Outcome): 1},
	}))
}

// newWorld returns a world of its own for a test, which runs in parallel with others.
func newWorld(t *testing.T, change ...func(*console.Options)) *world {
	t.Helper()
	t.Parallel()
	return openWorld(t, change...)
}

func openWorld(t *testing.T, change ...func(*console.Options)) *world {
	t.Helper()
	db, clock := testenv.DynamoDB(t), clocktest.New()
	identityTable, consoleTable := testenv.Table(t, "IdentityTable"), testenv.Table(t, "ConsoleTable")
	people := identitydb.New(db, identityTable)
	w := &world{
		partners: identity.NewRegistrar(people, clock.Now, keyring.RandomToken),
		users:    newUserStores(t, db, people, clock.Now),
		store:    consoledb.New(db, consoleTable, identityTable, clock.Now),
		clock:    clock, log: &strings.Builder{}, secrets: map[owner.PartnerID]string{}, hooks: newHooks(t, db, clock),
	}
	w.past = &kept{w.store}
	for _, id := range []owner.PartnerID{"alpha", "beta"} {
		_, secret, err := w.partners.Create(t.Context(), identity.Partner{
			ID: id, Name: strings.ToUpper(string(id)) + " GmbH", Scopes: identity.Scopes(),
		})
		require.NoError(t, err)
		w.secrets[id] = secret
	}
	sealer, err := keyring.Root{Current: "a root secret of forty characters or so"}.Sealer("console")
	require.NoError(t, err)
	w.options = console.Options{
		BaseURL: "https://aviso.test", Stage: config.Test, Sealer: sealer, Partners: w.partners, Store: w.store,
		Webhooks: w.hooks.services(people), Now: clock.Now, NewID: newID,
		Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	}
	w.users.fitIn(&w.options)
	for _, c := range change {
		c(&w.options)
	}
	w.console = console.New(w.options)
	return w
}

// visitor is a browser: it keeps cookies and sends what browsers send.
type visitor struct {
	world   *world
	cookies map[string]*http.Cookie
	address string
}

func (w *world) visitor() *visitor { return &visitor{w, map[string]*http.Cookie{}, "203.0.113.7"} }

// answer is a response that was read.
type answer struct {
	*http.Response
	body string
}

func (v *visitor) do(t *testing.T, method, target string, form url.Values, headers ...string) answer {
	t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequestWithContext(context.Background(), method, "https://aviso.test"+target, body)
	r.RemoteAddr = v.address
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	recorder := httptest.NewRecorder()
	v.world.console.ServeHTTP(recorder, r)
	res := recorder.Result()
	for _, c := range res.Cookies() {
		if c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		} else {
			v.cookies[c.Name] = c
		}
	}
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return answer{res, string(text)}
}

func (v *visitor) get(t *testing.T, target string, headers ...string) answer {
	t.Helper()
	return v.do(t, http.MethodGet, target, nil, headers...)
}

func (v *visitor) post(t *testing.T, target string, form url.Values) answer {
	t.Helper()
	return v.do(t, http.MethodPost, target, form)
}

// signIn signs in with the partner's secret.
func (v *visitor) signIn(t *testing.T, partner owner.PartnerID) answer {
	t.Helper()
	return v.post(t, "/console/sign-in", url.Values{
		"clientId": {string(partner)}, "clientSecret": {v.world.secrets[partner]},
	})
}

// as returns a browser with a session of that role.
func (w *world) as(t *testing.T, partner owner.PartnerID, role console.Role) *visitor {
	t.Helper()
	v := w.visitor()
	now := w.clock.Now()
	v.cookies[console.SessionCookie] = w.console.SealSession(console.Session{
		ID: uuid.NewString(), Partner: partner, Role: role, Who: "erika@" + string(partner) + ".example", Started: now, Seen: now,
	})
	return v
}

// entries returns a partner's audit log, newest first.
func (w *world) entries(t *testing.T, partner owner.PartnerID) []feed.Entry {
	t.Helper()
	entries, err := w.store.Entries(t.Context(), partner, "", 100)
	require.NoError(t, err)
	return entries
}

// later moves the time.
func (w *world) later(d time.Duration) { w.clock.Advance(d) }

// shows checks that a page has all these texts.
func shows(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		assert.Contains(t, page, text)
	}
}

// hides checks that a page has none of these texts.
func hides(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		assert.NotContains(t, page, text)
	}
}
