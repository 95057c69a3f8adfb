package xs2a

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/connection"
)

const addTestRows operation = "add test rows"

// wireTestRow is a row as the sandbox's banks take it.
type wireTestRow struct {
	Amount       json.Number `json:"amount"`
	BookingDate  pfm.Date    `json:"bookingDate"`
	Counterparty string      `json:"counterparty"`
	Note         string      `json:"note"`
	MCC          string      `json:"merchantCategoryCode"`
	Pending      bool        `json:"pending"`
}

// AddTestRows implements connection.TestBank. The standard does not have it: only the sandbox's
// banks have such an address.
func (c *Client) AddTestRows(
	ctx context.Context, bank pfm.BankEndpoint, consentID, resourceID, batch string, rows []connection.TestRow,
) error {
	to, err := url.Parse(strings.TrimRight(bank.BaseURL, "/") + "/test-rows/" + url.PathEscape(batch))
	if err != nil || !isWeb(to) {
		return bankwire.Failure(addTestRows, pfm.SupplierRejected, 0, errBadEndpoint)
	}
	list := make([]wireTestRow, len(rows))
	for i, r := range rows {
		list[i] = wireTestRow{
			json.Number(r.Amount.String()), r.Day, r.Counterparty, r.Note, r.MerchantCategoryCode, r.Pending,
		}
	}
	return c.do(ctx, request{
		bank: bank, op: addTestRows, method: http.MethodPut, url: to,
		header: sessionHeader(pfm.Session{ConsentID: consentID}),
		body:   map[string]any{"resourceId": resourceID, "rows": list},
	}, nil)
}
