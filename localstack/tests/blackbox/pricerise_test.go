package blackbox_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An insurer in Belgium raises its price. The user is told, and leaves by a letter of that
// reason. An e-mail would be void there, so it goes by registered mail.
func TestAUserLeavesBecauseOfAPriceRise(t *testing.T) {
	p := newPartner(t, "sandbox")
	r := newReceiver(t, nil)
	p.subscribe(t, r, "contract.price_increased")
	l := p.connected(t, "lindenmark")
	account := p.accounts(t)[0].AccountID
	months := sixMonths()
	p.paid(t, account, "Scheldegaard", "-24.50", months[2:]...)
	p.pays(t, l, account, "Scheldegaard", "-25.90", months[:2]...)
	r.await(t, "the rise", about(p, "contract.price_increased"))
	contract := p.contractWith(t, "Scheldegaard")
	insurance := p.productIn(t, "nl-BE", "Scheldegaard")
	path := "/openbanking/v1/insights/subscriptions/" + contract.SubscriptionID
	a := p.send(t, http.MethodPatch, path, map[string]any{"productId": insurance.ProductID})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	var out struct {
		Data struct {
			PriceChanges []struct {
				SpecialRight struct {
					Reason map[string]any
				}
			}
		}
	}
	p.send(t, http.MethodGet, "/openbanking/v1/insights/price-changes?subscriptionId="+contract.SubscriptionID, nil).decode(t, &out)
	require.Len(t, out.Data.PriceChanges, 1)
	reason := out.Data.PriceChanges[0].SpecialRight.Reason
	assert.Equal(t, map[string]any{"kind": "PriceRise", "date": months[1].Format(time.DateOnly)}, reason)

	body := letterTo(insurance)
	body["locale"], body["reason"], body["subscriptionId"] = "nl-BE", reason, contract.SubscriptionID
	c := p.cancel(t, body)
	assert.Equal(t, "RegisteredMail", c.Channel)
	p.untilCancellation(t, c.CancellationID, func(c cancellation) bool { return c.TrackingNumber != "" })

	a = p.send(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/evidence", nil)
	archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	file, err := archive.Open("evidence.json")
	require.NoError(t, err)
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	var evidence struct {
		Cancellation struct{ Reason map[string]any }
	}
	require.NoError(t, json.Unmarshal(content, &evidence))
	assert.Equal(t, "PriceRise", evidence.Cancellation.Reason["kind"])
	assert.Contains(t, evidence.Cancellation.Reason["article"], "22 februari 1991")
}
