package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

const addTestRows = "add test rows"

// AddTestRows implements connection.TestBank. Only the sandbox's banks have this address; the standard does not.
func (c *Client) AddTestRows(
	ctx context.Context, bank pfm.BankEndpoint, consentID, resourceID, batch string, rows []connection.TestRow,
) error {
	r := read(bank, pfm.Session{ConsentID: consentID}, addTestRows)
	r.method, r.link = http.MethodPut, strings.TrimRight(bank.BaseURL, "/")+"/test-rows/"+url.PathEscape(batch)
	r.body = map[string]any{"resourceId": resourceID, "rows": rows}
	return c.do(ctx, r, nil, nil)
}
