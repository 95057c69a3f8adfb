package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

type subscription struct {
	Merchant struct {
		Name string `json:"name"`
	} `json:"merchant"`
	Cancellable         *cancellable `json:"cancellable"`
	Amount              json.Number  `json:"amount"`
	YearlyCost          json.Number  `json:"yearlyCost"`
	CurrencyCode        string       `json:"currencyCode"`
	RecurrenceFrequency string       `json:"recurrenceFrequency"`
	NextExpectedDate    string       `json:"nextExpectedDate"`
}

// cancellable is what a contract can be ended with.
type cancellable struct {
	OrganizationID string `json:"organizationId"`
	ProductID      string `json:"productId"`
}

type subscriptionsData struct {
	Subscriptions []subscription `json:"subscriptions"`
}

type refusal struct {
	Code                  string    `json:"code"`
	NextRefreshPossibleAt time.Time `json:"nextRefreshPossibleAt"`
}

func (w *walker) readSubscriptions(ctx context.Context) error {
	w.screen.begin("The partner shows the contracts that were found", "Payments that come again and again to somebody whom one can give notice.")
	const path = pfmPath + "/insights/subscriptions"
	w.screen.curl(`curl -s`+authorization+actingUser+` \`, `  $BASE_URL`+path)
	var answer envelope[subscriptionsData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &answer); err != nil {
		return err
	}
	list := answer.Data.Subscriptions
	rows := make([][]string, min(shown, len(list)))
	for i, s := range list {
		end := ""
		if s.Cancellable != nil {
			end = "can be cancelled"
			w.contracts = append(w.contracts, s)
		}
		if i < len(rows) {
			rows[i] = []string{shorten(s.Merchant.Name, 24), s.RecurrenceFrequency, s.NextExpectedDate, s.Amount.String(), s.YearlyCost.String(), s.CurrencyCode, end}
		}
	}
	w.screen.table([]string{"Merchant", "", "Next", "Amount", "A year", "", ""}, rows, 3, 4)
	w.screen.end("%d contracts, the dearest first; %d can be cancelled", len(list), len(w.contracts))
	return nil
}

// refresh asks too early on purpose: the accounts have just been read.
func (w *walker) refresh(ctx context.Context) error {
	w.screen.begin("The partner asks for a refresh, too early", "A bank wants some time between two. The refusal says when.")
	path := pfmPath + "/connections/" + w.link.ConnectionID + "/refresh"
	w.screen.curl(`curl -s -o /dev/null -w '%{http_code}\n' -X POST`+authorization+actingUser+` \`,
		`  $BASE_URL`+pfmPath+`/connections/$CONNECTION_ID/refresh`)
	var refused refusal
	if err := w.partner.do(ctx, call{method: http.MethodPost, path: path, refused: "refresh_too_early"}, &refused); err != nil {
		return err
	}
	w.screen.end("refused with 429: possible from %s on", refused.NextRefreshPossibleAt.Local().Format(time.TimeOnly))
	return nil
}

// reconnect renews the consent; connection and accounts keep their ids.
func (w *walker) reconnect(ctx context.Context) error {
	w.screen.begin("The partner renews the connection before it runs out", "The same way to the bank once more. Ids stay, and data stays readable meanwhile.")
	path := pfmPath + "/connections/" + w.link.ConnectionID + "/reconnect"
	w.screen.curl(`curl -s -X POST`+authorization+actingUser+` \`, ` `+asJSON+` \`,
		`  -d "{\"returnUrl\":\"`+w.returnURL+`\"}" \`,
		`  $BASE_URL`+pfmPath+`/connections/$CONNECTION_ID/reconnect`)
	before, err := w.connection(ctx)
	if err != nil {
		return err
	}
	var answer envelope[link]
	if err := w.partner.do(ctx, call{method: http.MethodPost, path: path, body: map[string]string{"returnUrl": w.returnURL}}, &answer); err != nil {
		return err
	}
	if answer.Data.ConnectionID != w.link.ConnectionID {
		return errors.New("renewing made another connection")
	}
	if err := w.approveAgain(ctx, answer.Data.RedirectURL); err != nil {
		return err
	}
	if err := w.until(ctx, func(c connectionData) bool { return c.Connection.LastSuccessAt.After(before.Connection.LastSuccessAt) }); err != nil {
		return err
	}
	var now envelope[accountsData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: pfmPath + "/accounts"}, &now); err != nil {
		return err
	}
	if !slices.Equal(accountIDs(w.accounts), accountIDs(now.Data.Accounts)) {
		return errors.New("renewing changed the ids of accounts")
	}
	w.screen.end("renewed; the same %d accounts under the same ids", len(now.Data.Accounts))
	return nil
}

// approveAgain is the user at the bank, for the second time.
func (w *walker) approveAgain(ctx context.Context, address string) error {
	b := w.browser
	b.returned = nil
	if err := b.open(ctx, address); err != nil {
		return err
	}
	for _, choice := range [][2]string{{"persona", w.persona}, {"decision", "approve"}} {
		f, err := b.page.pick(choice[0], choice[1])
		if err != nil {
			return err
		}
		if err := b.submit(ctx, f); err != nil {
			return err
		}
	}
	if b.returned == nil || b.returned.Query().Get("status") != "success" {
		return fmt.Errorf("the user ended at %s without success", b.at)
	}
	return nil
}

func accountIDs(accounts []account) []string {
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = a.AccountID
	}
	slices.Sort(ids)
	return ids
}
