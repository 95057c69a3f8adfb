package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/localstack/contract"
)

// options are what a walk needs to know beforehand.
type options struct {
	baseURL                string
	clientID, clientSecret string
	returnURL              string
	bank, persona          string
	// inbox is where the mail is shown that the service has sent; empty where
	// that is not known.
	inbox string
	// syncWithin bounds the reading of accounts, lettersWithin the way of letters.
	syncWithin, lettersWithin, askEvery time.Duration
}

// walker carries what one step leaves for the next.
type walker struct {
	options
	screen  *screen
	partner *client
	browser *browser
	// developer looks into the sandbox.
	developer *client

	bankChosen provider
	link       link
	accounts   []account
	// contracts are those found in the transactions that can be cancelled.
	contracts []subscription
	// ending is the one that is.
	ending ending
	// others end by other ways.
	others []ending
	// receiver takes the callbacks of the subscription.
	receiver     *receiver
	subscription string
}

// The prefixes of the areas.
const (
	identityPath     = "/identity/v1"
	pfmPath          = "/openbanking/v1"
	cancellationPath = "/cancellations/v1"
)

// walk does all steps; the first that fails ends it.
func walk(ctx context.Context, o options, rules *contract.Contract, s *screen) (err error) {
	h := newHTTP(rules)
	w := &walker{
		options: o, screen: s,
		partner: &client{http: h, baseURL: o.baseURL},
		browser: &browser{http: h, home: o.returnURL}, developer: &client{http: h, baseURL: o.baseURL},
	}
	// Whether anything answers at all comes before the first line on the screen.
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: "/.well-known/jwks.json"}, &struct{}{}); err != nil {
		return err
	}
	s.line("%s", s.paint(bold, "Aviso, step by step"))
	s.line("You watch a partner, one of its users, the user's bank, and some companies that the")
	s.line("user leaves. The commands can be pasted into a shell in this order; every answer is")
	s.line("held against docs/openapi.yaml.")
	s.line("\n    BASE_URL=%s", o.baseURL)
	defer func() { err = errors.Join(err, w.unsubscribe(context.WithoutCancel(ctx))) }()
	for _, step := range []func(context.Context) error{
		w.getToken, w.createUser, w.acceptTerms, w.subscribe, w.findBank, w.connect, w.visitBank, w.awaitSync, w.readAccounts, w.readTransactions, w.readInsights, w.readSubscriptions, w.refresh, w.reconnect,
		w.acceptCancelling, w.chooseContract, w.previewLetter, w.cancelContract, w.cancelOthers, w.awaitMail, w.withdraw, w.answer, w.awaitOthers,
		w.readEvents, w.simulate, w.failAcknowledging,
	} {
		if err := step(ctx); err != nil {
			s.failed()
			return err
		}
	}
	s.line("\n%s All %d steps in %s, and every answer as documented.\n", s.paint(green, "Done."), s.step, duration(s.now().Sub(s.begun)))
	return nil
}

// Parts of the commands shown.
const (
	authorization = ` -H "Authorization: Bearer $TOKEN"`
	actingUser    = ` -H "X-User-Id: $USER_ID"`
	asJSON        = ` -H 'Content-Type: application/json'`
)

// take is the end of a command that cuts one text out of an answer, with nothing
// but what every machine has.
func take(member string) string { return ` | sed 's/.*"` + member + `":"\([^"]*\)".*/\1/'` }

func (w *walker) getToken(ctx context.Context) error {
	w.screen.begin("The partner gets an access token", "OAuth 2.0 client credentials. The sandbox's are public and work on your machine only.")
	w.screen.curl(`TOKEN=$(curl -s -u `+w.clientID+`:`+w.clientSecret+` -d grant_type=client_credentials \`,
		`  $BASE_URL/oauth2/token`+take("access_token")+`)`)
	var t token
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {w.clientID}, "client_secret": {w.clientSecret}}
	if err := w.partner.do(ctx, call{method: http.MethodPost, path: "/oauth2/token", form: form}, &t); err != nil {
		return err
	}
	w.partner.token = t.AccessToken
	w.screen.end("for %d minutes, with the scopes %s", t.ExpiresIn/60, strings.ReplaceAll(t.Scope, " ", ", "))
	return nil
}

func (w *walker) createUser(ctx context.Context) error {
	w.screen.begin("The partner creates a user", "A Partner User stands for one of the partner's own customers.")
	w.screen.curl(`USER_ID=$(curl -s`+authorization+asJSON+` \`,
		`  -d '{"countryCode":"DE","languageCode":"en"}' \`,
		`  $BASE_URL`+identityPath+`/users`+take("userId")+`)`)
	var u envelope[userData]
	body := map[string]string{"countryCode": "DE", "languageCode": "en"}
	if err := w.partner.do(ctx, call{method: http.MethodPost, path: identityPath + "/users", body: body}, &u); err != nil {
		return err
	}
	w.partner.userID = u.Data.User.UserID
	w.screen.end("user %s", w.partner.userID)
	return nil
}

// needed are the terms without which nothing can be read for a user.
func needed(termsType string) bool { return termsType == "Operator" || termsType == "BankingSupplier" }

func (w *walker) acceptTerms(ctx context.Context) error {
	w.screen.begin("The user accepts the terms", "Of the operator and of the supplier of banking data, in the versions in force.")
	accepted, err := w.accept(ctx, needed)
	if err != nil {
		return err
	}
	if len(accepted) != 2 {
		return fmt.Errorf("the terms accepted are %v; want those of Operator and of BankingSupplier", accepted)
	}
	commands := []string{`curl -s` + authorization + ` $BASE_URL` + identityPath + `/terms`}
	for _, t := range accepted {
		commands = append(commands, `curl -s`+authorization+asJSON+` \`,
			`  -d '{"termsType":"`+t.TermsType+`","version":"`+t.Version+`"}' \`,
			`  $BASE_URL`+identityPath+`/users/$USER_ID/terms-acceptances`)
	}
	w.screen.curl(commands...)
	w.screen.end("accepted: %s, %s", accepted[0], accepted[1])
	return nil
}

// accept records that the user accepts the terms in force that are wanted.
func (w *walker) accept(ctx context.Context, wanted func(termsType string) bool) ([]terms, error) {
	var list envelope[termsData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: identityPath + "/terms"}, &list); err != nil {
		return nil, err
	}
	var accepted []terms
	for _, t := range list.Data.Terms {
		if !wanted(t.TermsType) {
			continue
		}
		path := identityPath + "/users/" + w.partner.userID + "/terms-acceptances"
		var acceptance envelope[struct{}]
		if err := w.partner.do(ctx, call{method: http.MethodPost, path: path, body: t}, &acceptance); err != nil {
			return nil, err
		}
		accepted = append(accepted, t)
	}
	return accepted, nil
}

func (w *walker) findBank(ctx context.Context) error {
	w.screen.begin("The user looks for a bank", "By country, then by the first letters of any word of its name.")
	w.screen.curl(`curl -s`+authorization+` $BASE_URL`+pfmPath+`/providers/countries`,
		`PROVIDER_ID=$(curl -s`+authorization+` \`,
		`  "$BASE_URL`+pfmPath+`/providers?providerNameFilter=`+url.QueryEscape(w.bank)+`"`+take(`providers":\[{"id`)+`)`)
	var countries envelope[countriesData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: pfmPath + "/providers/countries"}, &countries); err != nil {
		return err
	}
	banks := 0
	for _, c := range countries.Data.Countries {
		banks += c.ProviderCount
	}
	w.screen.tell("%d banks in %d countries", banks, len(countries.Data.Countries))
	var found envelope[providersData]
	path := pfmPath + "/providers?providerNameFilter=" + url.QueryEscape(w.bank)
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &found); err != nil {
		return err
	}
	for _, p := range found.Data.Providers {
		if p.Status == "Active" {
			w.bankChosen = p
			w.screen.end("%s (%s), with %d days of history", p.Name, p.CountryCode, p.MaxFetchInterval)
			return nil
		}
	}
	return fmt.Errorf("no bank with a word that begins with %q can be connected", w.bank)
}

func (w *walker) connect(ctx context.Context) error {
	w.screen.begin("The partner asks for a connection", "The answer is a link for the user. The bank hears of it when the user opens it.")
	once := "demo-" + w.partner.userID
	w.screen.curl(`CONNECTION_ID=$(curl -s`+authorization+actingUser+` \`,
		` `+asJSON+` -H "Idempotency-Key: demo-$USER_ID" \`,
		`  -d "{\"providerId\":\"$PROVIDER_ID\",\"returnUrl\":\"`+w.returnURL+`\"}" \`,
		`  $BASE_URL`+pfmPath+`/connections`+take("connectionId")+`)`)
	ask := call{
		method: http.MethodPost, path: pfmPath + "/connections", once: once,
		body: map[string]string{"providerId": w.bankChosen.ID, "returnUrl": w.returnURL},
	}
	var first, again envelope[link]
	if err := errors.Join(w.partner.do(ctx, ask, &first), w.partner.do(ctx, ask, &again)); err != nil {
		return err
	}
	if first.Data != again.Data {
		return errors.New("the same Idempotency-Key made two connections")
	}
	w.link = first.Data
	w.screen.tell("link  %s", w.link.RedirectURL)
	w.screen.tell("sent twice with the same Idempotency-Key: one connection, the same answer")
	w.screen.end("the link holds until %s", w.link.ExpiresAt.Local().Format(time.TimeOnly))
	return nil
}

func (w *walker) visitBank(ctx context.Context) error {
	w.screen.begin("The user goes to the bank and back", "What a browser does: follow the link, fill in the bank's two pages, follow back.")
	b := w.browser
	if err := b.open(ctx, w.link.RedirectURL); err != nil {
		return err
	}
	headings := []string{b.page.heading}
	login, err := b.page.pick("persona", w.persona)
	if err != nil {
		return err
	}
	if err := b.submit(ctx, login); err != nil {
		return err
	}
	headings = append(headings, b.page.heading)
	consent, err := b.page.pick("decision", "approve")
	if err != nil {
		return err
	}
	shared := consent.fields["account[]"]
	w.screen.curl(`PAGE=$(curl -s -o /dev/null -w '%{redirect_url}' \`,
		`  "$BASE_URL/connect?connectionId=$CONNECTION_ID")`,
		`BACK=$(curl -s -o /dev/null -w '%{redirect_url}' -d decision=approve \`,
		`  -d persona=`+w.persona+` -d 'account[]=`+strings.Join(shared, `' -d 'account[]=`)+`' "$PAGE")`,
		`curl -s -o /dev/null -w '%{redirect_url}\n' "$BACK"`)
	w.screen.tell("page  “%s”", strings.Join(headings, "”, then “"))
	if err := b.submit(ctx, consent); err != nil {
		return err
	}
	if b.returned == nil {
		return fmt.Errorf("the user ended at %s instead of the partner's return URL", b.at)
	}
	w.screen.tell("back  %s", b.returned)
	q := b.returned.Query()
	if q.Get("connectionId") != w.link.ConnectionID || q.Get("status") != "success" {
		return errors.New("the return URL does not tell success for the connection")
	}
	w.screen.end("approved, with %d accounts", len(shared))
	return nil
}
