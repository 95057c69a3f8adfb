package command

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"aviso.example/cli/internal/listen"
	aviso "aviso.example/client"
)

// pageSize is the most that a page may have.
const pageSize = 200

// pollEvery is the time between two looks at something that changes.
const pollEvery = time.Second

func (a *app) providers() *cobra.Command {
	var params aviso.ListProvidersParams
	limit := 0
	searching := a.command("search [NAME]", "Search banks", func(ctx context.Context, args []string) error {
		client, err := a.client()
		if err != nil {
			return err
		}
		params.Limit = pageFor(limit)
		if len(args) > 0 {
			params.ProviderNameFilter = args[0]
		}
		found, err := aviso.Collect(take(a, client.Providers.List(ctx, &params), limit))
		if err != nil {
			return err
		}
		return list(a, "banks", found, []string{"PROVIDER ID", "NAME", "COUNTRY", "STATUS"},
			func(p aviso.Provider) []string { return []string{p.ID, p.Name, p.CountryCode, p.Status} })
	})
	searching.Flags().StringVar(&params.CountryCode, "country", "", "only banks in this country (ISO 3166-1)")
	searching.Flags().StringVar(&params.BIC, "bic", "", "only banks with this BIC")
	searching.Flags().StringVar(&params.BankCode, "bank-code", "", "only banks with this national bank code")
	return group("providers", "The banks that can be connected", limitFlag(searching, &limit))
}

func (a *app) connect() *cobra.Command {
	var user, returnURL string
	var noBrowser bool
	var timeout time.Duration
	cmd := a.command("connect PROVIDER_ID", "Connect a user's bank, and wait until its accounts have been read",
		func(ctx context.Context, args []string) error {
			view, err := a.actingFor(user)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			link, err := view.Connections.Create(ctx, aviso.CreateConnectionRequest{ProviderID: args[0], ReturnURL: returnURL})
			if err != nil {
				return err
			}
			defer serveReturn(ctx, returnURL)()
			a.note("Open %s", link.RedirectURL)
			if !noBrowser {
				if err := a.Browse(ctx, link.RedirectURL); err != nil {
					a.note("The browser did not open: %v", err)
				}
			}
			if err := a.awaitAccounts(ctx, view, link.ConnectionID); err != nil {
				return err
			}
			return a.showAccounts(ctx, view, link.ConnectionID)
		})
	cmd.Flags().StringVar(&returnURL, "return-url", "http://localhost:8080/", "where the user returns to; it must be registered for you")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the link")
	cmd.Flags().DurationVar(&timeout, "timeout", 15*time.Minute, "how long to wait")
	return a.userFlag(cmd, &user)
}

// serveReturn shows a page to the user who returns to this machine, until its result is called.
// If the port is taken, another program answers.
func serveReturn(ctx context.Context, returnURL string) (stop func()) {
	u, err := url.Parse(returnURL)
	if err != nil || !isLocal(returnURL) || u.Port() == "" {
		return func() {}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", u.Port()))
	if err != nil {
		return func() {}
	}
	server := &http.Server{Handler: http.HandlerFunc(listen.Page), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollEvery)
		defer cancel()
		_ = server.Shutdown(ending)
	}
}

// awaitAccounts waits until the user has authorised the connection and its accounts were read.
func (a *app) awaitAccounts(ctx context.Context, view *aviso.UserView, id string) error {
	status := ""
	for {
		c, err := view.Connections.Get(ctx, id)
		if ctx.Err() != nil {
			return fmt.Errorf("connection %s is still %s; and the time is over", id, status)
		}
		if err != nil {
			return err
		}
		if c.ConnectionStatus != status {
			status = c.ConnectionStatus
			a.note("Connection %s is %s.", id, status)
		}
		switch {
		case c.IsActive && !c.LastSuccessAt.IsZero():
			return nil
		case !c.IsActive && status != "Pending":
			return fmt.Errorf("the bank was not connected: %s %s", status, c.StatusReason)
		}
		wait(ctx)
	}
}

// wait waits for the next look, unless ctx ends.
func wait(ctx context.Context) {
	select {
	case <-time.After(pollEvery):
	case <-ctx.Done():
	}
}

func (a *app) accounts() *cobra.Command {
	user := ""
	return a.userFlag(a.command("accounts", "List a user's accounts", func(ctx context.Context, _ []string) error {
		view, err := a.actingFor(user)
		if err != nil {
			return err
		}
		return a.showAccounts(ctx, view, "")
	}), &user)
}

// showAccounts lists the accounts of a connection, or all.
func (a *app) showAccounts(ctx context.Context, view *aviso.UserView, connectionID string) error {
	accounts := []aviso.Account{}
	for account, err := range view.Accounts.List(ctx, &aviso.ListAccountsParams{Limit: pageSize}) {
		if err != nil {
			return err
		}
		if connectionID == "" || account.ConnectionInfo.ConnectionID == connectionID {
			accounts = append(accounts, account)
		}
	}
	return list(a, "accounts", accounts, []string{"ACCOUNT ID", "BANK", "NAME", "TYPE", "IBAN OR NUMBER", "BALANCE", "CURRENCY"},
		func(t aviso.Account) []string {
			number := t.IBAN
			if number == "" {
				number = t.AccountNumber
			}
			return []string{t.AccountID, t.ConnectionInfo.BankName, t.AccountName, t.AccountType, number,
				t.Balance.String(), t.CurrencyCode}
		})
}

func (a *app) transactions() *cobra.Command {
	user, asCSV, limit := "", false, 0
	params := aviso.ListTransactionsParams{}
	cmd := a.command("transactions", "List a user's transactions, the newest first",
		func(ctx context.Context, _ []string) error {
			if asCSV && a.json {
				return usage("choose either --csv or --json")
			}
			view, err := a.actingFor(user)
			if err != nil {
				return err
			}
			params.Limit = pageFor(limit)
			rows := take(a, view.Transactions.List(ctx, &params), limit)
			if asCSV {
				return writeCSV(a.Out, rows)
			}
			all, err := aviso.Collect(rows)
			if err != nil {
				return err
			}
			return list(a, "transactions", all, []string{"DATE", "AMOUNT", "CURRENCY", "STATE", "CATEGORY", "MERCHANT", "NOTE"},
				func(t aviso.Transaction) []string {
					return []string{day(t), t.Amount.String(), t.CurrencyCode, t.RecordState, t.Category.CategoryName,
						t.Merchant.Name, t.Note}
				})
		})
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV (RFC 4180) with exact amounts")
	cmd.Flags().StringVar(&params.DateFrom, "from", "", "first day, such as 2026-01-31")
	cmd.Flags().StringVar(&params.DateTo, "to", "", "last day")
	cmd.Flags().StringVar(&params.AccountID, "account", "", "only this account")
	cmd.Flags().IntVar(&params.CategoryID, "category", 0, "only this category: aviso categories lists the IDs")
	cmd.Flags().StringVar(&params.Text, "text", "", "only transactions with these words")
	cmd.Flags().StringVar(&params.RecordType, "type", "", "Income or Expense")
	return a.userFlag(limitFlag(cmd, &limit), &user)
}

func day(t aviso.Transaction) string { return t.RecordDate.Format(time.DateOnly) }

// writeCSV writes each row as soon as its page has come.
func writeCSV(out io.Writer, list iter.Seq2[aviso.Transaction, error]) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	_ = w.Write([]string{"id", "recordDate", "amount", "currencyCode", "recordState", "recordType", "paymentType",
		"accountId", "accountName", "merchantName", "categoryName", "subcategoryName", "payee", "note"})
	for t, err := range list {
		if err != nil {
			w.Flush()
			return err
		}
		_ = w.Write([]string{t.ID, day(t), t.Amount.String(), t.CurrencyCode, t.RecordState, t.RecordType, t.PaymentType,
			t.Account.ID, t.Account.Name, t.Merchant.Name, t.Category.CategoryName, t.Category.SubcategoryName, t.Payee, t.Note})
	}
	w.Flush()
	return w.Error()
}
