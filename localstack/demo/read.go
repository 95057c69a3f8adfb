package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// awaitSync asks until the first sync has ended, well or not.
func (w *walker) awaitSync(ctx context.Context) error {
	w.screen.begin("The service reads the accounts from the bank", "In the background. lastSuccessAt is set when it has read everything.")
	w.screen.curl(`for i in $(seq 60); do`,
		`  curl -s`+authorization+actingUser+` \`,
		`    $BASE_URL`+pfmPath+`/connections/$CONNECTION_ID | grep '"lastSuccessAt":"2' && break`,
		`  sleep 1`,
		`done`)
	var c connectionData
	err := w.until(ctx, func(now connectionData) bool {
		c = now
		return !c.Connection.LastSuccessAt.IsZero()
	})
	if err != nil {
		return err
	}
	w.screen.end("Active; the consent holds until %s", c.Connection.ConsentExpiresAt.Format("2 January 2006"))
	return nil
}

// until asks for the connection until it is as wanted, or is in trouble.
func (w *walker) until(ctx context.Context, wanted func(connectionData) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, w.syncWithin, fmt.Errorf("the accounts have not been read within %s", w.syncWithin))
	defer cancel()
	ask := time.NewTicker(w.askEvery)
	defer ask.Stop()
	for {
		c, err := w.connection(ctx)
		if err != nil {
			return because(ctx, err)
		}
		if c.Connection.ConnectionStatus != "Active" || c.Connection.StatusReason != "" {
			return fmt.Errorf("the connection is %s, for the reason %q", c.Connection.ConnectionStatus, c.Connection.StatusReason)
		}
		if wanted(c) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ask.C:
		}
	}
}

func (w *walker) connection(ctx context.Context) (connectionData, error) {
	var c envelope[connectionData]
	err := w.partner.do(ctx, call{method: http.MethodGet, path: pfmPath + "/connections/" + w.link.ConnectionID}, &c)
	return c.Data, err
}

// because prefers why ctx ended to what that did to a call.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (w *walker) readAccounts(ctx context.Context) error {
	w.screen.begin("The partner reads the accounts", "Money is in major units, with the bank's own digits.")
	w.screen.curl(`curl -s`+authorization+actingUser+` \`, `  $BASE_URL`+pfmPath+`/accounts`)
	var answer envelope[accountsData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: pfmPath + "/accounts"}, &answer); err != nil {
		return err
	}
	w.accounts = answer.Data.Accounts
	if len(w.accounts) == 0 {
		return errors.New("there is no account")
	}
	rows := make([][]string, len(w.accounts))
	for i, a := range w.accounts {
		if a.ConnectionInfo.ConnectionID != w.link.ConnectionID {
			return fmt.Errorf("account %s comes from another connection", a.AccountID)
		}
		number := a.IBAN
		if number == "" {
			number = a.AccountNumber
		}
		rows[i] = []string{a.AccountName, a.AccountType, number, a.Balance.String(), a.CurrencyCode}
	}
	w.screen.table([]string{"Account", "Type", "Number", "Balance", ""}, rows, 3)
	w.screen.end("%d accounts", len(w.accounts))
	return nil
}

const (
	pageSize = 200
	// maxPages bounds a service that would never come to an end.
	maxPages = 100
	shown    = 5
)

func (w *walker) readTransactions(ctx context.Context) error {
	w.screen.begin("The partner reads the transactions", "Page by page, newest first: meta.pagination.nextToken leads on.")
	first := `"$BASE_URL` + pfmPath + `/transactions?limit=` + strconv.Itoa(shown)
	w.screen.curl(`NEXT_TOKEN=$(curl -s`+authorization+actingUser+` \`,
		`  `+first+`"`+take("nextToken")+`)`,
		`curl -s`+authorization+actingUser+` \`,
		`  `+first+`&nextToken=$NEXT_TOKEN"`)
	all, pages, err := w.allTransactions(ctx)
	if err != nil {
		return err
	}
	if err := w.plausible(all); err != nil {
		return err
	}
	rows := make([][]string, min(shown, len(all)))
	for i := range rows {
		t := all[i]
		who := t.Merchant.Name
		if who == "" {
			who = t.Note
		}
		rows[i] = []string{t.RecordDate.Format(time.DateOnly), shorten(who, 24), t.Category.SubcategoryName, t.Amount.String(), t.CurrencyCode, t.RecordState}
	}
	w.screen.table([]string{"Day", "Merchant or text", "Category", "Amount", "", ""}, rows, 3)
	w.screen.end("%d transactions on %d pages; above are the last %d", len(all), pages, len(rows))
	return nil
}

func (w *walker) allTransactions(ctx context.Context) (all []transaction, pages int, err error) {
	query := url.Values{"limit": {strconv.Itoa(pageSize)}}
	for pages = 1; pages <= maxPages; pages++ {
		var p envelope[transactionsData]
		if err := w.partner.do(ctx, call{method: http.MethodGet, path: pfmPath + "/transactions?" + query.Encode()}, &p); err != nil {
			return nil, 0, err
		}
		all = append(all, p.Data.Transactions...)
		next := p.Meta.Pagination.NextToken
		if next == "" {
			return all, pages, nil
		}
		query.Set("nextToken", next)
	}
	return nil, 0, fmt.Errorf("there are more than %d pages of transactions", maxPages)
}

// plausible looks at what the document cannot say of a list.
func (w *walker) plausible(all []transaction) error {
	known := map[string]bool{}
	for _, a := range w.accounts {
		known[a.AccountID] = true
	}
	seen := map[string]bool{}
	for i, t := range all {
		switch {
		case seen[t.ID]:
			return fmt.Errorf("transaction %s is on two pages", t.ID)
		case !known[t.Account.ID]:
			return fmt.Errorf("transaction %s is of an account that is not listed", t.ID)
		case i > 0 && t.RecordDate.After(all[i-1].RecordDate):
			return fmt.Errorf("transaction %s is newer than the one before it", t.ID)
		}
		seen[t.ID] = true
	}
	return nil
}

func (w *walker) readInsights(ctx context.Context) error {
	w.screen.begin("The partner shows where the money goes", "Sums by category, kept up to date as transactions come in.")
	const path = pfmPath + "/insights/categories?transactionType=Expense&categoryLevel=L1"
	w.screen.curl(`curl -s`+authorization+actingUser+` \`, `  "$BASE_URL`+path+`"`)
	var answer envelope[insightsData]
	if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &answer); err != nil {
		return err
	}
	list := answer.Data.Insights
	rows := make([][]string, min(shown, len(list)))
	for i := range rows {
		rows[i] = []string{list[i].Category.Name, strconv.Itoa(list[i].NumberOfTransactions), list[i].Amount.String(), list[i].CurrencyCode}
	}
	w.screen.table([]string{"Category", "Number", "Amount", ""}, rows, 2)
	w.screen.end("%d categories, the largest first", len(list))
	return nil
}
