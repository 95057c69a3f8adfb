package pfmapi_test

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/app/contractterms"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

const (
	base   = apitest.Base
	prefix = "/openbanking/v1"
)

// service is the area as package app wires it, behind the Lambda adapter and with the
// real stores. Only bank and clock are fakes.
type service struct {
	*testing.T
	edge       *apitest.Edge
	handler    lambda.Handler
	clock      *pfmtest.Clock
	bank       *pfmtest.Bank
	store      *pfmdb.Store
	agreements *identity.Agreements
	// enrich finds the categories and merchants of what a sync reads.
	enrich transaction.Enrich
	db     *dynamodb.Client
	table  string
	// browser is the user's.
	browser *browser
}

func (s *service) gate() owner.Gate { return s.agreements.Gate(identity.PFMTerms()...) }

// speaks sets the language of pages for the user.
func (s *service) speaks(language string) {
	s.Helper()
	u, err := s.edge.People.User(s.Context(), pfmtest.User())
	require.NoError(s, err)
	u.LanguageCode = language
	require.NoError(s, s.edge.People.UpdateUser(s.Context(), u, u.ExternalID))
}

func newService(t *testing.T, options ...func(*pfmapi.Services)) *service {
	t.Helper()
	s := &service{
		T: t, clock: pfmtest.NewClock(), bank: &pfmtest.Bank{}, enrich: pfmtest.Enrich, table: testenv.Table(t, "PfmTable"),
	}
	s.edge = apitest.NewEdge(t, "pfm", s.clock.Now)
	s.db, s.agreements = s.edge.DB, s.edge.Agreements
	s.store = pfmdb.New(s.db, s.table, testenv.Table(t, "OutboxTable"), s.clock.Now, uuid.NewString)
	s.handler = s.edge.Handler(func(router *api.Router) {
		services := pfmapi.Services{
			Providers: &pfm.Providers{Store: s.store},
			Connections: connection.New(connection.Deps{
				Store: s.store, Bank: s.bank.Of, Gate: s.gate(), AnyUser: s.agreements.Gate(),
				ReturnURL: identity.NewPartners(s.edge.People).ReturnURL,
				Now:       s.clock.Now, NewID: uuid.NewString, NewSecret: keyring.RandomToken,
			}),
			Reading: transaction.NewReading(s.store, s.gate(), s.clock.Now),
			Subscriptions: contract.NewSubscriptions(
				s.store, pfmtest.Cancellables{}.Find, yearlyDeadline().Find,
				contractterms.New(nil, noProducts, s.clock.Now).SpecialRights, s.gate(), s.clock.Now,
			),
			Addressee: func(ctx context.Context, user owner.User) (pfmapi.Addressee, error) {
				a, err := s.edge.People.Addressee(ctx, user)
				return pfmapi.Addressee(a), err
			},
		}
		for _, set := range options {
			set(&services)
		}
		services.ForExport = &services
		pfmapi.Register(router, services)
	})
	require.NoError(
		t,
		s.edge.People.PutPartner(t.Context(), identity.Partner{ID: "sandbox", ReturnURLs: []string{"https://partner.example/"}}),
	)
	s.edge.AddUser(pfmtest.User(), identity.TermsOperator, identity.TermsBankingSupplier)
	s.speaks("en")
	require.NoError(t, s.store.PutProvider(t.Context(), pfmtest.Provider()))
	s.browser = s.newBrowser()
	return s
}

// noProducts is a catalogue without products.
func noProducts(
	context.Context, []cancellationdb.ProductKey,
) (map[cancellationdb.ProductKey]catalogue.Product, error) {
	return nil, nil
}

func (s *service) send(method, path string, headers map[string]string, body string) apitest.Response {
	s.Helper()
	return apitest.Call(s.T, s.handler, apitest.Request{Method: method, Path: path, Header: headers, Body: body})
}

// browser keeps cookies as a browser does.
type browser struct {
	*service
	jar *cookiejar.Jar
}

func (s *service) newBrowser() *browser {
	s.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s, err)
	return &browser{service: s, jar: jar}
}

func (b *browser) get(path string) apitest.Response {
	b.Helper()
	return b.send(http.MethodGet, path, "")
}

// send sends a form, or opens a page.
func (b *browser) send(method, path, form string) apitest.Response {
	b.Helper()
	at, err := url.Parse(base + path)
	require.NoError(b, err)
	sent := []string{}
	for _, cookie := range b.jar.Cookies(at) {
		sent = append(sent, cookie.String())
	}
	headers := map[string]string{"Cookie": strings.Join(sent, "; ")}
	if form != "" {
		headers["Content-Type"] = "application/x-www-form-urlencoded"
	}
	a := b.service.send(method, path, headers, form)
	b.jar.SetCookies(at, a.SetCookies())
	return a
}

// get opens a page in the user's browser.
func (s *service) get(path string) apitest.Response {
	s.Helper()
	return s.browser.get(path)
}

// call sends a request for the user, with a token that has the scope pfm.
func (s *service) call(method, path, body string) apitest.Response {
	s.Helper()
	headers := map[string]string{"Authorization": s.edge.Token("sandbox", "pfm"), "X-User-Id": string(pfmtest.User().ID)}
	if body != "" {
		headers["Content-Type"] = "application/json"
	}
	return s.send(method, prefix+path, headers, body)
}

// ok reads a path, and requires that this succeeds.
func (s *service) ok(path string) apitest.Response {
	s.Helper()
	a := s.call(http.MethodGet, path, "")
	require.Equal(s, http.StatusOK, a.StatusCode, a.Body)
	return a
}

// calls returns the number of AWS calls of the last request.
func (s *service) calls() int { return s.edge.Calls() }

const newConnection = `{"providerId":"0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11","returnUrl":"https://partner.example/back?order=4711"}`

// link creates a connection and returns its ID and the path of its link.
func (s *service) link() (id, path string) {
	s.Helper()
	a := s.call(http.MethodPost, "/connections", newConnection)
	require.Equal(s, http.StatusCreated, a.StatusCode, a.Body)
	id, _ = a.Member("data", "connectionId").(string)
	redirect, _ := a.Member("data", "redirectUrl").(string)
	require.True(s, strings.HasPrefix(redirect, base))
	return id, strings.TrimPrefix(redirect, base)
}

// active creates a connection with an account and transactions.
func (s *service) active() connection.Connection {
	s.Helper()
	id, path := s.link()
	require.Equal(s, http.StatusFound, s.get(path).StatusCode)
	requested := s.bank.Requested
	consent := "consent-" + string(rune('0'+len(requested)))
	s.bank.SetConsent(consent, pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-05-31"})
	require.Equal(s, http.StatusFound, s.get(s.callback()).StatusCode)
	syncer := pfmtest.Jobs(s.store, logtest.Banks(s.bank.Of), s.enrich, s.clock.Now)
	require.NoError(
		s, syncer.Sync(s.Context(), connection.SyncJob{Partner: pfmtest.User().Partner, User: pfmtest.User().ID, ConnectionID: id}, 1),
	)
	c, err := s.store.Connection(s.Context(), pfmtest.User(), id)
	require.NoError(s, err)
	return c
}

// callback returns the redirect URL that the bank received last.
func (s *service) callback() string {
	requested := s.bank.Requested
	return strings.TrimPrefix(requested[len(requested)-1].RedirectURL, base)
}

// isUTC requires that a value is a time in UTC, and returns it.
func isUTC(t *testing.T, v any) time.Time {
	t.Helper()
	text, _ := v.(string)
	require.True(t, strings.HasSuffix(text, "Z"), text)
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}
