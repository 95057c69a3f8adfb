package operatorfn

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// sandboxBank starts the sandbox's banks and makes Lindenmark Sparbank a provider.
func (c *console) sandboxBank(providerID string) {
	c.Helper()
	server := httptest.NewServer(bank.New(bank.Options{
		Store: sandboxdb.New(testenv.DynamoDB(c), testenv.Table(c, "SandboxTable"), time.Now),
		Now:   time.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}))
	c.Cleanup(server.Close)
	c.examples["bank-check"] = bytes.ReplaceAll(c.examples["bank-check"], []byte("https://api.aviso.example"), []byte(server.URL))
	p := pfmtest.Provider()
	p.ID, p.Endpoint = providerID, pfm.BankEndpoint{BaseURL: server.URL + "/sandbox/banks/lindenmark"}
	c.store(p)
}

func (c *console) store(p pfm.Provider) {
	c.Helper()
	store := pfmdb.New(c.db, c.env["PFM_TABLE"], c.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	require.NoError(c, store.PutProvider(c.Context(), p))
}

func TestBankCheck(t *testing.T) { // not beside others: it takes the log
	c := newConsole(t)
	id := c.member("bank-check", "providerId")
	c.sandboxBank(id)
	state, _ := c.call(string(c.examples["bank-check"]))["state"].(map[string]any)
	page, _ := state["next"].(map[string]any)["url"].(string)
	form := url.Values{"persona": {"anna"}, "decision": {"approve"}, "account[]": {"current"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusSeeOther, res.StatusCode)

	event, err := json.Marshal(map[string]any{
		"command": "bank-check", "providerId": id, "redirectUrl": c.member("bank-check", "redirectUrl"), "state": state,
	})
	require.NoError(t, err)
	answer := c.call(string(event))
	assert.Equal(t, "Connects", answer["verdict"])
	done, _ := answer["state"].(map[string]any)
	assert.Equal(t, true, done["done"])
	assert.NotContains(t, done, "secret")
	report, _ := done["report"].(map[string]any)
	assert.NotEmpty(t, report["facts"])

	for want, refused := range map[string]string{
		"Must be a UUID":         `{"command":"bank-check","providerId":"x"}`,
		"redirectUrl must be":    `{"command":"bank-check","providerId":"` + id + `"}`,
		"There is no provider":   `{"command":"bank-check","redirectUrl":"x","providerId":"` + uuid.NewString() + `"}`,
		"accepts only":           `{"command":"bank-check","password":"x"}`,
		"An aggregator reads it": "",
	} {
		if refused == "" {
			p := pfmtest.Provider()
			p.ID, p.Endpoint.ASPSP = uuid.NewString(), pfm.ASPSP{Name: "Silbertal Bank", Country: "DE", Secret: "s"}
			c.store(p)
			want, refused = "An aggregator reads this bank", `{"command":"bank-check","redirectUrl":"x","providerId":"`+p.ID+`"}`
		}
		assert.Contains(t, c.refused(refused), want)
	}
}
