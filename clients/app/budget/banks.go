package budget

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	aviso "aviso.example/client"
)

// banksOnPage is how many banks a page lists; with so many, a search is quicker than a second page.
const banksOnPage = 12

func (v *visit) banks() error {
	query := v.r.URL.Query().Get("q")
	page, err := v.client.Providers.ListPage(v.r.Context(), &aviso.ListProvidersParams{
		ProviderNameFilter: query, CountryCode: "DE", Limit: banksOnPage,
	})
	if err != nil {
		return err
	}
	return v.show("banks", map[string]any{"Query": query, "Banks": page.Items, "Status": v.r.URL.Query().Get("status")})
}

// connect asks for a link to the bank, and sends the user there.
func (v *visit) connect() error {
	link, err := v.user.Connections.Create(v.r.Context(), aviso.CreateConnectionRequest{
		ProviderID: v.r.PostFormValue("bank"), ReturnURL: v.PublicURL + "/back",
	})
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, link.RedirectURL, http.StatusSeeOther)
	return nil
}

// back is where the bank sends the user. What the address says is not trusted: Aviso is asked.
func (v *visit) back() error {
	connection, err := v.user.Connections.Get(v.r.Context(), v.r.URL.Query().Get("connectionId"))
	if err != nil {
		return err
	}
	if !connection.IsActive {
		return v.goTo("/banks?status=" + v.r.URL.Query().Get("status"))
	}
	if _, runs := v.preparing.LoadOrStore(v.user.ID, true); !runs {
		go v.prepare(context.WithoutCancel(v.r.Context()), v.user, connection.ConnectionID, clientAddress(v.r))
	}
	return v.goTo("/reading")
}

// prepare waits until the accounts were read. In the sandbox it then adds a contract whose price
// rises, because the sandbox's people pay everything else for ever.
func (a *App) prepare(ctx context.Context, user *aviso.UserView, connection, address string) {
	defer a.live.tell(user.ID)
	defer a.preparing.Delete(user.ID)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	read, err := readAfter(ctx, user, connection, time.Time{})
	if err == nil && a.Sandbox {
		if err = addContract(ctx, user); err == nil {
			_, err = user.Connections.Refresh(ctx, connection, &aviso.RefreshConnectionParams{XPsuIPAddress: address})
		}
		if err == nil {
			_, err = readAfter(ctx, user, connection, read)
		}
	}
	if err != nil {
		slog.WarnContext(ctx, "app: the accounts were not read", "error", err)
	}
}

// readAfter waits until the bank was read after a time.
func readAfter(ctx context.Context, user *aviso.UserView, connection string, after time.Time) (time.Time, error) {
	for {
		c, err := user.Connections.Get(ctx, connection)
		if err != nil || c.LastSuccessAt.After(after) || !c.IsActive {
			return c.LastSuccessAt, err
		}
		select {
		case <-ctx.Done():
			return after, ctx.Err()
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// addContract lets the user have paid a video service for half a year, and more in the last two months.
func addContract(ctx context.Context, user *aviso.UserView) error {
	clock, err := user.Sandbox.GetClock(ctx)
	if err != nil {
		return err
	}
	accounts, err := user.Accounts.ListPage(ctx, nil)
	if err != nil || len(accounts.Items) == 0 {
		return err
	}
	last := clock.Now.AddDate(0, 0, -10)
	last = last.AddDate(0, 0, -max(0, last.Day()-28)) // every month has such a day
	var rows []aviso.TestTransaction
	for month, amount := range []string{"-8.99", "-8.99", "-8.99", "-8.99", "-9.99", "-9.99"} {
		price, err := aviso.ParseAmount(amount)
		if err != nil {
			return err
		}
		rows = append(rows, aviso.TestTransaction{
			Amount: price, BookingDate: last.AddDate(0, month-5, 0).Format(time.DateOnly),
			Counterparty: "Kinopolar", Note: "Kinopolar Standard",
		})
	}
	_, err = user.Sandbox.CreateTestTransactions(ctx,
		aviso.CreateTestTransactionsRequest{AccountID: accounts.Items[0].AccountID, Transactions: rows},
		aviso.WithIdempotencyKey("contract-"+accounts.Items[0].AccountID))
	return err
}

// reading waits with the user for the accounts.
func (v *visit) reading() error {
	if _, runs := v.preparing.Load(v.user.ID); runs {
		return v.show("reading", nil)
	}
	return v.goTo("/spending")
}

// connected reports whether there is an account to show, and asks for a bank if there is none.
func (v *visit) connected() (bool, error) {
	if _, runs := v.preparing.Load(v.user.ID); runs {
		return false, v.goTo("/reading")
	}
	accounts, err := v.user.Accounts.ListPage(v.r.Context(), &aviso.ListAccountsParams{Limit: 1})
	if err != nil || len(accounts.Items) > 0 {
		return err == nil, err
	}
	return false, v.goTo("/terms")
}

func clientAddress(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}
