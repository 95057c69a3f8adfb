package bank

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	// maxOwnRows is how many rows a developer may add to an account: they are one item of
	// the table, which holds 400 KB.
	maxOwnRows = 500
	// pendingFor is how many days an own row is pending if it is to be pending at first.
	pendingFor = 3
)

// OwnRows are the rows that a developer has added to an account of a customer.
type OwnRows struct {
	Bank, Account string
	// Ledger is the ID that the customer's ledger has for them.
	Ledger string
	// Batches are the IDs of the requests that added them, so that none adds twice.
	Batches []string
	Rows    []OwnRow
	Forget  time.Time
	Version int
}

// Key returns the key of the record.
func (o OwnRows) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + o.Bank + "#ROWS#" + o.Ledger, SK: o.Account}
}

// Next implements sandboxdb.Versioned.
func (o OwnRows) Next() (sandboxdb.Record, int) { o.Version++; return o, o.Version - 1 }

// KeepUntil returns when the record expires.
func (o OwnRows) KeepUntil() time.Time { return o.Forget }

// OwnRow is one of them. Its identity follows from its place.
type OwnRow struct {
	Day         persona.Day
	Amount      persona.Cents
	Party, Text string `dynamodbav:",omitempty"`
	MCC         string `dynamodbav:",omitempty"`
	Mandate     string `dynamodbav:",omitempty"`
	Creditor    string `dynamodbav:",omitempty"`
	Pending     bool   `dynamodbav:",omitempty"`
}

// entries returns the rows as the bank reports them.
func (o OwnRows) entries() []persona.Entry {
	entries := make([]persona.Entry, len(o.Rows))
	for i, row := range o.Rows {
		code := "PMNT-RCDT-ESCT"
		switch {
		case row.MCC != "":
			code = "PMNT-CCRD-POSD"
		case row.Amount < 0 && row.Mandate+row.Creditor != "":
			code = "PMNT-RDDT-ESDD"
		case row.Amount < 0:
			code = "PMNT-ICDT-ESCT"
		}
		identity := fnv.New64a()
		_, _ = fmt.Fprintf(identity, "%s/%s/%d", o.Ledger, o.Account, i) // never fails
		entries[i] = persona.Entry{
			Entered: row.Day, Booked: row.Day, Amount: row.Amount, Party: row.Party, Text: row.Text, Code: code,
			MCC: row.MCC, Mandate: row.Mandate, Creditor: row.Creditor, Identity: identity.Sum64(),
		}
		if row.Pending {
			entries[i].Booked += pendingFor
		}
	}
	return entries
}

// ownRows returns what a developer has added, by account.
func (c *call) ownRows(consent Consent) (map[string]OwnRows, error) {
	all, ledger := map[string]OwnRows{}, consent.Ledger
	for _, account := range ledger.OwnIn {
		like := OwnRows{Bank: consent.Bank, Ledger: ledger.Own, Account: account}
		own, err := sandboxdb.GetOr(c.r.Context(), c.Store, like) // they may have expired
		if err != nil {
			return nil, fmt.Errorf("read own rows: %w", err)
		}
		all[account] = own
	}
	return all, nil
}

// deleteOwnRows deletes what a developer has added to the accounts of a consent. Consents before
// the customer's latest have none.
func (c *call) deleteOwnRows(consent *Consent) error {
	ledger, all := &consent.Ledger, []sandboxdb.Record(nil)
	if len(ledger.OwnIn) == 0 {
		return nil
	}
	for _, account := range ledger.OwnIn {
		all = append(all, OwnRows{Bank: consent.Bank, Ledger: ledger.Own, Account: account})
	}
	ledger.Own, ledger.OwnIn = "", nil
	return c.Store.Delete(c.r.Context(), all...)
}

// ownRowsRequest is the body of PUT /sandbox/banks/{slug}/test-rows/{batch}, which the
// standard does not have. It adds rows to an account of the consent in Consent-ID.
type ownRowsRequest struct {
	ResourceID string          `json:"resourceId"`
	Rows       []ownRowRequest `json:"rows"`
}

type ownRowRequest struct {
	Amount       json.Number `json:"amount"`
	Day          string      `json:"bookingDate"`
	Counterparty string      `json:"counterparty"`
	Note         string      `json:"note"`
	MCC          string      `json:"merchantCategoryCode"`
	Mandate      string      `json:"mandateId"`
	Creditor     string      `json:"creditorId"`
	Pending      bool        `json:"pending"`
}

func (c *call) putOwnRows() error {
	batch := c.r.PathValue("batch")
	if uuid.Validate(batch) != nil {
		return newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "The batch must be a UUID.")
	}
	var body ownRowsRequest
	if err := c.readJSON(&body); err != nil {
		return err
	}
	rows := make([]OwnRow, len(body.Rows))
	for i, row := range body.Rows {
		var err error
		if rows[i], err = row.parse(c.today, c.MaxFetchInterval); err != nil {
			return err
		}
	}
	const tries = 5
	err := outcome.ErrChanged
	for try := 0; try < tries && errors.Is(err, outcome.ErrChanged); try++ {
		err = c.addOwnRows(body.ResourceID, batch, rows)
	}
	if err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// parse checks a row. A day is in the bank's time zone; a caller that counts in UTC may be
// a day behind.
func (row ownRowRequest) parse(today persona.Day, history int) (OwnRow, error) {
	amount, err := parseCents(row.Amount.String())
	if err != nil {
		return OwnRow{}, formatError("amount", "The amount must have at most two decimal places.")
	}
	day, err := persona.ParseDay(row.Day)
	if err != nil || day > today || day < today-persona.Day(history)-1 {
		return OwnRow{}, formatError("bookingDate", "The day must be in the history that the bank returns.")
	}
	return OwnRow{day, amount, row.Counterparty, row.Note, row.MCC, row.Mandate, row.Creditor, row.Pending}, nil
}

// parseCents reads a decimal with at most two places.
func parseCents(text string) (persona.Cents, error) {
	units, places, _ := strings.Cut(text, ".")
	if len(places) > 2 {
		return 0, errors.New("too many decimal places")
	}
	cents, err := strconv.ParseInt(units+(places + "00")[:2], 10, 64)
	return persona.Cents(cents), err
}

// addOwnRows adds the rows of a batch once.
func (c *call) addOwnRows(resourceID, batch string, rows []OwnRow) error {
	consent, err := c.consent(c.r.Header.Get("Consent-ID"))
	if err != nil {
		return err
	}
	if consent.status(c.now, c.today) != Valid {
		return unauthorised("CONSENT_INVALID", "The consent is not valid.")
	}
	s, err := c.session(consent, true)
	if err != nil {
		return err
	}
	acc, _, err := s.accountWith(resourceID)
	if err != nil {
		return err
	}
	records, ledger := []sandboxdb.Record(nil), &consent.Ledger
	ledger.Own = cmp.Or(ledger.Own, c.NewID())
	if !slices.Contains(ledger.OwnIn, acc.Key) {
		ledger.OwnIn = append(slices.Clip(ledger.OwnIn), acc.Key)
		records = append(records, consent)
	}
	own, err := sandboxdb.GetOr(c.r.Context(), c.Store, OwnRows{Bank: c.Slug, Ledger: ledger.Own, Account: acc.Key})
	switch {
	case err != nil:
		return fmt.Errorf("read own rows: %w", err)
	case slices.Contains(own.Batches, batch):
		return nil
	case len(own.Rows)+len(rows) > maxOwnRows:
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "The account has too many added rows.")
	}
	own.Batches, own.Rows, own.Forget = append(own.Batches, batch), append(own.Rows, rows...), consent.KeepUntil()
	return c.Store.Save(c.r.Context(), append(records, own)...)
}
