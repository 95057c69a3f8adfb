package connection

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// TestRow is a transaction that a partner adds to an account at a sandbox bank, which reads it
// as JSON.
type TestRow struct {
	// Amount is in the account's currency; negative for a debit.
	Amount money.Amount `json:"amount"`
	// Day is the booking date. If it is empty, the row is booked today.
	Day                  pfm.Date `json:"bookingDate"`
	Counterparty         string   `json:"counterparty"`
	Note                 string   `json:"note"`
	MerchantCategoryCode string   `json:"merchantCategoryCode"`
	MandateID            string   `json:"mandateId"`
	CreditorID           string   `json:"creditorId"`
	// Pending means that the bank books the row only after a few days.
	Pending bool `json:"pending"`
}

// TestBank is a sandbox bank, to which rows can be added.
type TestBank interface {
	// AddTestRows adds rows to an account under a consent. Adding a batch again changes
	// nothing. Errors are *SupplierError, with status 409 if the account has too many.
	AddTestRows(
		ctx context.Context, bank pfm.BankEndpoint, consentID, resourceID, batch string, rows []TestRow,
	) error
}

// TestRows are the test rows of a connection that no sync has read yet.
type TestRows struct {
	// From is the day of the oldest.
	From pfm.Date `dynamodbav:"testRowsFrom,omitempty"`
	// At is when the last of them were added.
	At time.Time `dynamodbav:"testRowsAt,omitempty"`
}

const (
	// maxTestAmount bounds the amount of a test row.
	maxTestAmount = 1_000_000
	// MaxTestRowsPerAccount is how many rows a sandbox bank takes for an account.
	MaxTestRowsPerAccount = 500
)

// AddTestRows adds rows to one of the user's accounts, which must be at a sandbox bank,
// and lets the next sync read them. batch is a UUID that is the same when the request is
// repeated.
func (s *Connections) AddTestRows(
	ctx context.Context, user owner.User, accountID, batch string, rows []TestRow, also idempotency.Effect[Connection],
) (Connection, error) {
	held, err := owner.Read(ctx, s.Gate, user, func(ctx context.Context) (Holdings, error) {
		return s.Store.Holdings(ctx, user)
	})
	if err != nil {
		return Connection{}, err
	}
	account, c := held.find(accountID)
	if account.ID == "" {
		return Connection{}, apierror.New(apierror.NotFound, "The user has no account with this ID.")
	}
	provider, err := s.Store.Provider(ctx, c.ProviderID)
	if err != nil {
		return Connection{}, fmt.Errorf("read provider: %w", err)
	}
	now := clock.Now(ctx, s.Now)
	bank, takesRows := s.Bank(provider.Endpoint).(TestBank)
	switch {
	case !takesRows || !isSandbox(provider.Endpoint):
		return Connection{}, apierror.Invalid(apierror.Field{
			Pointer: "/accountId", Code: "not_a_sandbox_account", Detail: "The account must be at a sandbox bank.",
		})
	case !c.At(now).IsActive():
		return Connection{}, notActive()
	}
	from, faults := checkTestRows(rows, pfm.DateOf(now), provider.MaxFetchInterval)
	if len(faults) > 0 {
		return Connection{}, apierror.Invalid(faults...)
	}
	err = bank.AddTestRows(ctx, provider.Endpoint, account.ConsentID, account.ResourceID, batch, rows)
	if err != nil {
		return Connection{}, testRowsRefused(err)
	}
	return s.change(ctx, s.Gate, user, c.ID, also, func(c *Connection) ([]SyncJob, error) {
		if c.TestRows.From != "" {
			from = min(from, c.TestRows.From)
		}
		c.TestRows = TestRows{From: from, At: now}
		return nil, nil
	})
}

// find returns an account with its connection, or zero values.
func (h Holdings) find(accountID string) (pfm.Account, Connection) {
	for _, one := range h.All {
		for _, a := range one.Accounts {
			if a.ID == accountID && one.Connection.Status != Deleting {
				return a, one.Connection
			}
		}
	}
	return pfm.Account{}, Connection{}
}

// isSandbox reports whether a bank is one of the sandbox's. No other must ever get such a
// request.
func isSandbox(e pfm.BankEndpoint) bool {
	u, err := url.Parse(e.BaseURL)
	return err == nil && strings.HasPrefix(u.Path, "/sandbox/banks/")
}

// checkTestRows sets the day of rows that have none. It returns the first day and what is
// wrong with the rows.
func checkTestRows(rows []TestRow, today pfm.Date, history int) (from pfm.Date, faults []apierror.Field) {
	from = today
	for i := range rows {
		r := &rows[i]
		fault := func(member, code, detail string) {
			faults = append(faults, apierror.Field{
				Pointer: "/transactions/" + strconv.Itoa(i) + "/" + member, Code: code, Detail: detail,
			})
		}
		if r.Day == "" {
			r.Day = today
		}
		from = min(from, r.Day)
		_, places, _ := strings.Cut(r.Amount.String(), ".")
		most := money.MustParse(strconv.Itoa(maxTestAmount))
		switch {
		case r.Amount.Sign() == 0:
			fault("amount", "invalid", "The amount must not be 0.")
		case len(places) > 2:
			fault("amount", "invalid", "The amount must have at most two decimal places.")
		case r.Amount.Cmp(most) > 0 || r.Amount.Cmp(most.Neg()) < 0:
			fault("amount", "too_large", "The amount must be from -1000000 to 1000000.")
		}
		switch {
		case r.Day > today:
			fault("bookingDate", "in_the_future", "The day must not be after today (UTC).")
		case r.Day < today.AddDays(-history):
			fault("bookingDate", "before_history",
				"The bank returns "+strconv.Itoa(history)+" days of history (maxFetchInterval).")
		}
	}
	return from, faults
}

// testRowsRefused returns what a bank's refusal means for the request.
func testRowsRefused(err error) error {
	switch refusal := pfm.FailureOf(err); {
	case refusal.Kind == "":
		return fmt.Errorf("add test rows: %w", err)
	case refusal.Status == 409:
		return apierror.Invalid(apierror.Field{
			Pointer: "/transactions", Code: "too_many", Limit: MaxTestRowsPerAccount,
			Detail: "The account would have more added rows than it can hold.",
		})
	case refusal.Temporary():
		return errors.Join(&apierror.Error{
			Code: apierror.TemporarilyUnavailable, Detail: "The sandbox bank does not respond. Try again.",
			RetryAfter: time.Second,
		}, &outcome.Later{Err: err, Normal: true})
	default:
		return notActive()
	}
}

func notActive() error {
	return apierror.New(apierror.ConnectionNotActive, "Rows can be added only to accounts of an active connection.")
}
