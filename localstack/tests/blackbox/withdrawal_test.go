package blackbox_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deadline asks for the deadline of a product's contract by what the user knows.
func (p partner) deadline(t *testing.T, c product, locale string, facts map[string]any) map[string]any {
	t.Helper()
	path := "/cancellations/v1/organizations/" + c.OrganizationID + "/products/" + c.ProductID + "/deadline?locale=" + locale
	a := p.send(t, http.MethodPost, path, facts)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	var out struct {
		Data struct{ Deadline map[string]any }
	}
	a.decode(t, &out)
	return out.Data.Deadline
}

// A user joined a gym online three days ago, and withdraws by e-mail. The evidence says so.
func TestAUserWithdrawsFromANewContract(t *testing.T) {
	p := newPartner(t, "sandbox")
	gym := p.productIn(t, "de-DE", "Hantelwerk")
	signed := time.Now().UTC().AddDate(0, 0, -3)
	d := p.deadline(t, gym, "de-DE", map[string]any{
		"concludedOn": signed.Format(time.DateOnly), "contractStart": signed.Format(time.DateOnly),
		"agreedTerms": map[string]any{"concludedAt": "Distance"},
	})
	withdrawal, _ := d["withdrawal"].(map[string]any)
	assert.GreaterOrEqual(t, withdrawal["until"], signed.AddDate(0, 0, 14).Format(time.DateOnly))
	steps, _ := d["steps"].([]any)
	require.NotEmpty(t, steps)
	assert.Contains(t, steps[0], "text")

	body := letterTo(gym)
	body["locale"], body["reason"] = "de-DE", d["reason"]
	c := p.cancel(t, body)
	assert.Equal(t, "Email", c.Channel)
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))
	a := p.send(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/evidence", nil)
	archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	file, err := archive.Open("evidence.json")
	require.NoError(t, err)
	var evidence struct {
		Cancellation struct{ Reason map[string]any }
		Entries      []struct{ Event string }
	}
	require.NoError(t, json.NewDecoder(file).Decode(&evidence))
	assert.Equal(t, map[string]any{
		"kind": "Withdrawal", "date": signed.Format(time.DateOnly), "article": "§§ 312g, 355 BGB",
	}, evidence.Cancellation.Reason)
	assert.Equal(t, "Delivered", evidence.Entries[len(evidence.Entries)-1].Event)

	body["reason"], body["repeat"] = map[string]any{"kind": "Withdrawal", "date": signed.AddDate(0, -1, 0).Format(time.DateOnly)}, true
	a = p.send(t, http.MethodPost, cancellations, body)
	assert.Equal(t, http.StatusUnprocessableEntity, a.status)
	assert.Contains(t, string(a.body), `"reason_not_available"`, "a month ago")
}

// A household in France that wants to end its electricity is told that the new supplier does it.
func TestTheNewSupplierEndsElectricity(t *testing.T) {
	p := newPartner(t, "sandbox")
	power := p.productIn(t, "fr-FR", "Voltalune")
	d := p.deadline(t, power, "fr-FR", map[string]any{"contractStart": "2024-05-10"})
	form, _ := d["form"].(map[string]any)
	assert.Equal(t, "NewProvider", form["requirement"])
	assert.Contains(t, form["reason"], "nouveau fournisseur")
	body := letterTo(power)
	body["locale"] = "fr-FR"
	a := p.send(t, http.MethodPost, cancellations, body)
	assert.Equal(t, http.StatusUnprocessableEntity, a.status, string(a.body))
	assert.Contains(t, string(a.body), `"pointer":"/endDate"`, "an own letter can end the supply")
	body["endDate"] = time.Now().UTC().AddDate(0, 1, 0).Format(time.DateOnly)
	p.cancel(t, body)
}
