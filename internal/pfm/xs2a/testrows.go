package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

const addTestRows operation = "add test rows"

// AddTestRows implements connection.TestBank. The standard does not have it: only the sandbox's
// banks have such an address.
func (c *Client) AddTestRows(
	ctx context.Context, bank pfm.BankEndpoint, consentID, resourceID, batch string, rows []connection.TestRow,
) error {
	return c.do(ctx, request{
		bank: bank, op: addTestRows, method: http.MethodPut,
		link:   strings.TrimRight(bank.BaseURL, "/") + "/test-rows/" + url.PathEscape(batch),
		header: sessionHeader(pfm.Session{ConsentID: consentID}),
		body:   map[string]any{"resourceId": resourceID, "rows": rows},
	}, nil)
}
