package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"time"

	aviso "aviso.example/client"

	"aviso/localstack/stack/partner"
)

func (w *walk) journey() []step {
	return []step{
		{"The partner gets a token and creates a user, who accepts the terms for banking data", w.createUser, false},
		{"The partner subscribes to events; this program is its server (make listen runs one)", w.subscribe, true},
		{"The user looks for a bank by the first letters of its name, and follows the link there", w.connect, false},
		{"The service reads from the bank, in the background; the partner shows what it found", w.read, false},
		{"The partner asks for a refresh, too early, and renews the connection", w.reconnect, false},
		{"The partner cancels before the user has accepted the terms for that", w.acceptCancelling, false},
		{"The user previews the letter, sends it twice with one key, and once by mistake", w.cancel, false},
		{"The user cancels by post, registered post and fax, and by an e-mail that bounces", w.cancelOthers, false},
		{"The letter arrives by e-mail, and the company answers, which you do on a page", w.awaitMail, false},
		{"The user withdraws a cancellation, too late and in time", w.withdraw, false},
		{"The other letters arrive; after the bounce, the next channel is tried", w.awaitOthers, false},
		{"The partner's server has received signed events, and a simulated one", w.readEvents, true},
		{"The partner follows a contract until its debits have stopped", w.followContract, true},
		{"Time passes for the user: what would have happened by then happens now", w.passTime, true},
	}
}

func (w *walk) createUser() string {
	made := aviso.Must(w.client.Users.Create(w.ctx, aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "en"}))
	w.user = w.client.User(made.UserID)
	aviso.Must(partner.AcceptTerms(w.ctx, w.client, made.UserID, "Operator", "BankingSupplier"))
	return "user " + made.UserID
}

// subscribe starts the partner's server. What arrives before its handler knows the key waits.
func (w *walk) subscribe() string {
	server := httptest.NewUnstartedServer(nil)
	made := aviso.Must(w.client.Webhooks.CreateSubscription(w.ctx, aviso.CreateWebhookSubscriptionRequest{
		ServerURL: "http://" + server.Listener.Addr().String(), Events: []string{"*"}, Description: "demo",
	}))
	w.subscriptionID = made.Subscription.SubscriptionID
	server.Config.Handler = aviso.Must(aviso.Receiver(func(_ *http.Request, e *aviso.Event) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		if e.UserID == w.user.ID || e.EventType == "webhook.ping" { // the partner has other users
			w.events = append(w.events, e) // one may come twice
		}
		return nil
	}, made.Secret.Key))
	server.Start()
	return "subscribed to all events; only this response has the signing key"
}

// received counts the events since the last time, by type.
func (w *walk) received() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	kinds := map[string]int{}
	for _, e := range w.events {
		kinds[e.EventType]++
	}
	w.events = nil
	return kinds
}

func (w *walk) connect() string {
	byName := &aviso.ListProvidersParams{ProviderNameFilter: w.bank}
	found := aviso.Must(w.client.Providers.ListPage(w.ctx, byName)).Items
	i := slices.IndexFunc(found, func(p aviso.Provider) bool { return p.Status == "Active" })
	want(i >= 0, "no active bank has a word that starts with %q", w.bank)
	body := aviso.CreateConnectionRequest{ProviderID: found[i].ID, ReturnURL: w.returnURL}
	link := aviso.Must(w.user.Connections.Create(w.ctx, body))
	w.connectionID = link.ConnectionID
	return w.approve(link)
}

// approve plays the user at the bank, whose pages are not printed.
func (w *walk) approve(link *aviso.ConnectionLink) string {
	want(link.ConnectionID == w.connectionID, "the link is for another connection")
	browser, accounts := w.printer.next, []string{"current", "savings", "card"}
	back := aviso.Must(partner.Approve(w.ctx, browser, link.RedirectURL, w.returnURL, w.persona, accounts...))
	want(back.Query().Get("status") == "success", "the return URL %s does not report success", back)
	return "back at " + back.String()
}

// synced waits until the accounts were read after a time. It fails if the connection has a problem.
func (w *walk) synced(after time.Time) {
	w.eventually("the accounts have not been read", func() bool {
		c := aviso.Must(w.user.Connections.Get(w.ctx, w.connectionID))
		status := c.ConnectionStatus + " " + c.StatusReason
		want(status == "Active ", "the connection is %s", status)
		return c.LastSuccessAt.After(after)
	})
}

func (w *walk) read() string {
	w.synced(time.Time{})
	w.accounts = aviso.Must(aviso.Collect(w.user.Accounts.List(w.ctx, nil)))
	page := aviso.Must(w.user.Transactions.ListPage(w.ctx, &aviso.ListTransactionsParams{Limit: 200}))
	sums := aviso.Must(w.user.Insights.ListCategories(w.ctx, nil)).Data.Insights
	for _, c := range aviso.Must(w.user.Insights.ListRecurringContracts(w.ctx)) {
		if c.Cancellable.ProductID != "" {
			w.contracts = append(w.contracts, w.product(c))
		}
		w.printer.quiet = w.brief || len(w.contracts) > 0 // one template is enough to see
	}
	return fmt.Sprintf("%d accounts, the newest %d transactions, %d sums, %d contracts that can be cancelled",
		len(w.accounts), len(page.Items), len(sums), len(w.contracts))
}

func (w *walk) product(c aviso.RecurringContract) *aviso.ProductDetail {
	return aviso.Must(w.client.Catalogue.GetProduct(w.ctx, c.Cancellable.OrganizationID, c.Cancellable.ProductID, nil))
}

// refused returns the problem with this code, which a call must have answered.
func refused(err error, code string) *aviso.Error {
	problem, _ := errors.AsType[*aviso.Error](err)
	want(problem != nil && problem.Code == code, "answered %v instead of %s", err, code)
	return problem
}

func (w *walk) reconnect() string {
	_, err := w.user.Connections.Refresh(w.ctx, w.connectionID, nil)
	_ = refused(err, "refresh_too_early")
	return w.renew()
}

// renew sends the user to the bank again. Connection and accounts keep their IDs.
func (w *walk) renew() string {
	before := aviso.Must(w.user.Connections.Get(w.ctx, w.connectionID)).LastSuccessAt
	body := aviso.ReconnectConnectionRequest{ReturnURL: w.returnURL}
	back := w.approve(aviso.Must(w.user.Connections.Reconnect(w.ctx, w.connectionID, body)))
	w.synced(before)
	return "renewed; " + back
}

// acceptCancelling asks too early on purpose. Vidorama is cancelled if no contract goes by e-mail.
func (w *walk) acceptCancelling() string {
	_, standIn, err := partner.Find(w.ctx, w.client, "Vidorama")
	want(err == nil, "find Vidorama: %w", err)
	w.contracts = append(w.contracts, standIn)
	_, err = w.user.Cancellations.Create(w.ctx, w.letter(w.contracts[0]), nil)
	missing := refused(err, "terms_not_accepted").Errors[0].Code
	return "rejected, then accepted: " + aviso.Must(partner.AcceptTerms(w.ctx, w.client, w.user.ID, missing))[0]
}

// letter returns the request that cancels a product of an invented company. Where letters really
// leave, no other company may get one.
func (w *walk) letter(p *aviso.ProductDetail) aviso.CreateCancellationRequest {
	company := aviso.Must(w.client.Catalogue.GetOrganization(w.ctx, p.OrganizationID))
	want(strings.HasSuffix(company.URL, ".example"), "%s is not of the sandbox's catalogue; import that", company.Name)
	return partner.Letter(p)
}

// cancel cancels the most expensive contract whose letter goes by e-mail.
func (w *walk) cancel() string {
	dryRun, once := &aviso.CreateCancellationParams{DryRun: true}, aviso.WithIdempotencyKey("demo-"+w.user.ID)
	for _, product := range w.contracts {
		letter := w.letter(product)
		preview, err := w.user.Cancellations.Create(w.ctx, letter, dryRun)
		if err != nil { // the new supplier ends energy
			_ = refused(err, "validation_failed")
			continue
		}
		if preview.Letter.Channel != "Email" {
			continue
		}
		w.endingID = aviso.Must(w.user.Cancellations.Create(w.ctx, letter, nil, once)).Cancellation.CancellationID
		again := aviso.Must(w.user.Cancellations.Create(w.ctx, letter, nil, once)).Cancellation
		_, err = w.user.Cancellations.Create(w.ctx, letter, nil)
		mistake := refused(err, "already_cancelled")
		want(again.CancellationID == w.endingID && mistake.CancellationID == w.endingID, "there are two cancellations")
		return "one cancellation of " + product.Name + ", which the error names, too"
	}
	panic(errors.New("no contract can be cancelled by e-mail"))
}

// cancelByName finds a company despite typos and cancels its first product.
func (w *walk) cancelByName(words string) (id string) {
	_, product, err := partner.Find(w.ctx, w.client, words)
	want(err == nil, "find %s: %w", words, err)
	return aviso.Must(w.user.Cancellations.Create(w.ctx, w.letter(product), nil)).Cancellation.CancellationID
}

func (w *walk) cancelOthers() string {
	w.others = []string{w.cancelByName("nur psot"), w.cancelByName("nur einschriben")}
	w.others = append(w.others, w.cancelByName("nur fax"), w.cancelByName("bunce gmbh"))
	return "four more; post takes a while, so let us see the e-mail first"
}

// until waits for a status, perhaps by a channel, or for an outcome. It returns the history.
func (w *walk) until(id, wanted string) (history string) {
	w.eventually("cancellation "+id+" is not "+wanted, func() bool {
		c := aviso.Must(w.user.Cancellations.Get(w.ctx, id))
		history = c.Channel
		for _, s := range c.History {
			history += " → " + s.Status
		}
		return slices.Contains([]string{c.Status, c.Channel + " " + c.Status, c.Outcome}, wanted)
	})
	return history
}

func (w *walk) awaitMail() string {
	w.until(w.endingID, "Delivered")
	aviso.Must(w.user.Cancellations.GetLetter(w.ctx, w.endingID))
	answer := url.Values{"answer": {"Confirmed"}, "cancellation": {w.endingID}}
	aviso.Must(w.page(http.MethodPost, "/sandbox/replies", answer))
	return w.until(w.endingID, "Confirmed") + "; see the mail at " + w.baseURL + "/sandbox/letters"
}

func (w *walk) withdraw() string {
	_, err := w.user.Cancellations.Withdraw(w.ctx, w.endingID)
	_ = refused(err, "cancellation_not_withdrawable")
	id := w.cancelByName("einschreiben oder fax")
	w.eventually("the letter could not be withdrawn", func() bool {
		if _, err = w.user.Cancellations.Withdraw(w.ctx, id); err != nil {
			_ = refused(err, "cancellation_not_withdrawable") // while it is being handed over
		}
		return err == nil
	})
	return "one withdrawn"
}

func (w *walk) awaitOthers() string {
	for i, wanted := range []string{"Mail Sent", "RegisteredMail Delivered", "Fax Delivered", "Mail Sent"} {
		w.tell("%s\n", w.until(w.others[i], wanted)) // nobody reports the arrival of plain post
	}
	return "see them at " + w.baseURL + "/sandbox/letters"
}

func (w *walk) readEvents() string {
	ping := aviso.SimulateEventRequest{EventType: "webhook.ping", SubscriptionID: w.subscriptionID}
	aviso.Must(w.client.Webhooks.SimulateEvent(w.ctx, ping))
	kinds := map[string]int{}
	w.eventually("not all events have arrived", func() bool {
		for kind, n := range w.received() {
			kinds[kind] += n
		}
		return kinds["webhook.ping"] > 0 && len(kinds) >= 9 // even for a user without transactions
	})
	return fmt.Sprintf("every signature verified: %v", kinds)
}

// followContract follows a contract from its payments to what its end saves: its deadline, the
// letter, a debit too many, the objection, and silence. No persona pays Amourelio by itself.
func (w *walk) followContract() string {
	last := aviso.Must(w.user.Sandbox.GetClock(w.ctx)).Now.AddDate(0, 0, -10)
	last = last.AddDate(0, 0, -max(0, last.Day()-28)) // every month has such a day
	first := last.AddDate(0, -5, 0)
	w.pay(first, last.AddDate(0, -4, 0), last.AddDate(0, -3, 0), last.AddDate(0, -2, 0), last.AddDate(0, -1, 0), last)
	var found aviso.RecurringContract
	w.eventually("the contract has not been found", func() bool {
		for _, c := range aviso.Must(w.user.Insights.ListRecurringContracts(w.ctx)) {
			if c.Merchant.Name == "Amourelio" {
				found = c
			}
		}
		return found.SubscriptionID != ""
	})
	began := aviso.UpdateRecurringContractRequest{ContractStart: first.Format(time.DateOnly)}
	end := aviso.Must(w.user.Insights.UpdateRecurringContract(w.ctx, found.SubscriptionID, began)).Deadline.EarliestEnd
	letter := w.letter(w.product(found))
	letter.SubscriptionID, letter.EndDate = found.SubscriptionID, end
	id := aviso.Must(w.user.Cancellations.Create(w.ctx, letter, nil)).Cancellation.CancellationID
	w.until(id, "Delivered")
	w.pass("P30D")
	w.pay(aviso.Must(time.Parse(time.DateOnly, end)).AddDate(0, 0, 1))
	w.until(id, "StillDebited")
	object := aviso.SendObjectionRequest{Parameters: letter.Parameters, Signature: letter.Signature}
	aviso.Must(w.user.Cancellations.SendObjection(w.ctx, id, object, nil))
	w.eventually("the objection has not arrived", func() bool {
		return aviso.Must(w.user.Cancellations.ListObjections(w.ctx, id))[0].Status == "Delivered"
	})
	w.pass("P60D")
	w.until(id, "Ended")
	saved := aviso.Must(w.user.Insights.ListSavings(w.ctx))[0]
	return fmt.Sprintf("it ended on %s, which saves %s %s a year", end, saved.YearlySaving, saved.CurrencyCode)
}

// pay has the bank debit the user for the contract on these days, and reads it.
func (w *walk) pay(days ...time.Time) {
	rows := aviso.CreateTestTransactionsRequest{AccountID: w.accounts[0].AccountID}
	for _, d := range days {
		rows.Transactions = append(rows.Transactions, aviso.TestTransaction{
			Amount:      aviso.Must(aviso.ParseAmount("-29.90")),
			BookingDate: d.Format(time.DateOnly), Counterparty: "Amourelio", Note: "Premium",
		})
	}
	aviso.Must(w.user.Sandbox.CreateTestTransactions(w.ctx, rows))
	aviso.Must(w.user.Connections.Refresh(w.ctx, w.connectionID, nil))
}

// pass advances the user's clock and waits until everything has happened that was due.
func (w *walk) pass(by string) (now time.Time) {
	aviso.Must(w.user.Sandbox.AdvanceClock(w.ctx, aviso.AdvanceClockRequest{AdvanceBy: by}))
	w.eventually("the clock is still being advanced", func() bool {
		clock := aviso.Must(w.user.Sandbox.GetClock(w.ctx))
		now = clock.Now
		return clock.Status == "Ready"
	})
	return now
}

// passTime counts the events of each month. A letter is under way when it begins, and a consent
// that ends is renewed.
func (w *walk) passTime() string {
	w.cancelByName("einschreiben oder fax")
	for range w.months {
		w.tell("until %s: %v\n", w.pass("P1M").Format(time.DateOnly), w.received())
		if c := aviso.Must(w.user.Connections.Get(w.ctx, w.connectionID)); c.ConnectionStatus == "Expired" {
			w.tell("%s\n", w.renew())
		}
		w.printer.quiet = true // one month's calls are enough to see
	}
	return "see what happened to the user in the console: " + w.baseURL + "/console/users/" + w.user.ID
}

func (w *walk) readOnly() string {
	terms, countries := aviso.Must(w.client.Terms.List(w.ctx)), aviso.Must(w.client.Providers.ListCountries(w.ctx))
	types := aviso.Must(w.client.Webhooks.ListEventTypes(w.ctx))
	list := aviso.Must(w.client.Catalogue.ListOrganizationsPage(w.ctx, &aviso.ListOrganizationsParams{Limit: 1})).Items
	want(len(terms) > 0, "there are no terms; publish them with the operator's publish-terms")
	want(len(countries) > 0, "there are no banks; import them with the operator's import-providers")
	want(len(types) > 0, "there are no types of events")
	want(len(list) > 0, "there are no organizations; import them with the operator's import-catalogue")
	_, product, err := partner.Find(w.ctx, w.client, list[0].Name)
	want(err == nil, "find %s: %w", list[0].Name, err)
	return fmt.Sprintf("%d kinds of terms, banks in %d countries; %s", len(terms), len(countries), product.Name)
}
