package blackbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runningContract is a recurring contract with what the user and the catalogue know of its end.
type runningContract struct {
	SubscriptionID string
	Merchant       struct{ Name string }
	YearlyCost     jsonNumber
	TransactionIDs []string
	Cancellable    *struct{ OrganizationID, ProductID string }
	Deadline       *deadline
}

type deadline struct {
	EarliestEnd, NextChance string
	SendBy                  []struct{ Channel, Date string }
}

// watched is what is seen of a cancelled contract in the user's account.
type watched struct {
	cancellation

	EndDate, SubscriptionID string
	Outcome, OutcomeReason  string
	DebitsAfterEnd          []struct{ TransactionID, Date string }
}

func (p partner) watched(t *testing.T, id string) watched {
	t.Helper()
	var out struct {
		Data struct{ Cancellation watched }
	}
	p.send(t, http.MethodGet, cancellations+"/"+id, nil).decode(t, &out)
	return out.Data.Cancellation
}

func (p partner) untilOutcome(t *testing.T, id, outcome string) (w watched) {
	t.Helper()
	eventually(t, func() bool { w = p.watched(t, id); return w.Outcome == outcome }, patience, 200*time.Millisecond, outcome)
	return w
}

// contractWith is the user's contract with a merchant, once it is found.
func (p partner) contractWith(t *testing.T, merchant string) (found runningContract) {
	t.Helper()
	eventually(t, func() bool {
		var out struct {
			Data struct{ Subscriptions []runningContract }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/insights/subscriptions", nil).decode(t, &out)
		i := slices.IndexFunc(out.Data.Subscriptions, func(c runningContract) bool { return c.Merchant.Name == merchant })
		if i >= 0 {
			found = out.Data.Subscriptions[i]
		}
		return i >= 0
	}, patience, 200*time.Millisecond, "no contract with "+merchant)
	return found
}

// pays adds payments to the bank's rows of an account, and has them read.
func (p partner) pays(t *testing.T, l link, account, counterparty, amount string, days ...time.Time) {
	t.Helper()
	p.paid(t, account, counterparty, amount, days...)
	a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil, "X-Psu-Ip-Address", "203.0.113.7")
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
}

// paid adds payments to the bank's rows of an account.
func (p partner) paid(t *testing.T, account, counterparty, amount string, days ...time.Time) {
	t.Helper()
	rows := []any{}
	for _, day := range days {
		rows = append(rows, map[string]any{
			"amount": json.Number(amount), "bookingDate": day.Format(time.DateOnly), "counterparty": counterparty,
			"note": strings.ToUpper(counterparty) + " MONTHLY",
		})
	}
	body := map[string]any{"accountId": account, "transactions": rows}
	a := p.send(t, http.MethodPost, "/sandbox/v1/users/"+p.user+"/transactions", body)
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
}

// verifyEvidence runs the lines of docs/evidence.md, which need no program of ours.
func (p partner) verifyEvidence(t *testing.T, cancellationID string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/evidence.md")
	require.NoError(t, err)
	_, script, found := strings.Cut(string(text), "```sh\n")
	require.True(t, found)
	script, _, found = strings.Cut(script, "```")
	require.True(t, found)
	dir := t.TempDir()
	for _, file := range [][2]string{ // in this order: the key is published when it signs for the first time
		{"evidence.zip", cancellations + "/" + cancellationID + "/evidence"},
		{"jwks.json", "/.well-known/jwks.json"},
		{"tsa.pem", "/sandbox/timestamp"},
	} {
		a := p.send(t, http.MethodGet, file[1], nil)
		require.Equal(t, http.StatusOK, a.status, file[0])
		require.NoError(t, os.WriteFile(filepath.Join(dir, file[0]), a.body, 0o600))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	sh := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", script)
	sh.Dir = dir
	output, err := sh.CombinedOutput()
	require.NoError(t, err, string(output))
	assert.Contains(t, string(output), "letter.pdf: OK")
	assert.Contains(t, string(output), "evidence.pdf: OK")
}

// pdfText returns the text of a letter.
func pdfText(t *testing.T, pdf []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "pdftotext", "-raw", "-", "-")
	cmd.Stdin = bytes.NewReader(pdf)
	text, err := cmd.Output()
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(text)), " ")
}

// object previews the objection to the debits, sends it and waits until it has arrived.
func (p partner) object(t *testing.T, cancellationID string, body map[string]any) string {
	t.Helper()
	path := cancellations + "/" + cancellationID
	needs := map[string]any{"parameters": body["parameters"], "signature": body["signature"]}
	for _, preview := range []string{path + "/objection", path + "/objections?dryRun=true"} {
		a := p.send(t, http.MethodPost, preview, needs)
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		var out struct{ Data struct{ Letter draft } }
		a.decode(t, &out)
		assert.Contains(t, pdfText(t, out.Data.Letter.PDF), "8.99")
	}
	a := p.send(t, http.MethodPost, path+"/objections", needs, "Idempotency-Key", "objection-"+cancellationID)
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	var sent struct {
		Data struct{ Objection struct{ ObjectionID string } }
	}
	a.decode(t, &sent)
	id := sent.Data.Objection.ObjectionID
	replayed := p.send(t, http.MethodPost, path+"/objections", needs, "Idempotency-Key", "objection-"+cancellationID)
	assert.Equal(t, string(a.body), string(replayed.body))
	a = p.send(t, http.MethodPost, path+"/objections", needs)
	assert.Equal(t, http.StatusConflict, a.status)
	assert.Contains(t, string(a.body), id)
	var list struct {
		Data struct {
			Objections []struct {
				ObjectionID, CancellationID, Status string
				Debits                              []struct{ Amount jsonNumber }
			}
		}
	}
	eventually(t, func() bool {
		p.send(t, http.MethodGet, path+"/objections", nil).decode(t, &list)
		return len(list.Data.Objections) == 1 && list.Data.Objections[0].Status == "Delivered"
	}, patience, 200*time.Millisecond, "Delivered")
	one := list.Data.Objections[0]
	assert.Equal(t, []string{id, cancellationID}, []string{one.ObjectionID, one.CancellationID})
	require.Len(t, one.Debits, 1)
	assert.Equal(t, jsonNumber("-8.99"), one.Debits[0].Amount)
	return id
}

// From a contract in the account to what its end saves: its deadline, the letter that names the
// day, the proof, a debit too many, the objection, and silence.
func TestFromAContractToItsSavings(t *testing.T) {
	p := newPartner(t, "sandbox")
	r := newReceiver(t, nil)
	p.subscribe(t, r, "cancellation.debit_after_end", "cancellation.effective", "objection.delivered")
	l := p.connected(t, "lindenmark")
	account := p.accounts(t)[0].AccountID
	day := func(d time.Time) string { return d.Format(time.DateOnly) }

	today := time.Now().UTC().Truncate(24 * time.Hour)
	last := today.AddDate(0, 0, -10)
	last = last.AddDate(0, 0, -max(0, last.Day()-28)) // every month has such a day
	var months []time.Time
	for ago := range 6 {
		months = append(months, last.AddDate(0, -ago, 0))
	}
	p.pays(t, l, account, "Kinopolar", "-8.99", months...)
	c := p.contractWith(t, "Kinopolar")
	require.NotNil(t, c.Cancellable)

	path := "/openbanking/v1/insights/subscriptions/" + c.SubscriptionID
	a := p.send(t, http.MethodPatch, path, map[string]any{"contractStart": day(months[5])})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	c = p.contractWith(t, "Kinopolar")
	require.NotNil(t, c.Deadline)
	end := last.AddDate(0, 1, -1)
	assert.Equal(t, day(end), c.Deadline.EarliestEnd, "the last day that is paid")
	var out struct{ Data struct{ Deadline deadline } }
	product := "/cancellations/v1/organizations/" + c.Cancellable.OrganizationID + "/products/" + c.Cancellable.ProductID
	p.send(t, http.MethodGet, product+"/deadline?contractStart="+day(months[5]), nil).decode(t, &out)
	assert.Equal(t, out.Data.Deadline, *c.Deadline)

	body := letterTo(p.product(t, "Kinopolar"))
	body["productId"], body["subscriptionId"], body["endDate"] = c.Cancellable.ProductID, c.SubscriptionID, day(end)
	assert.Contains(t, pdfText(t, p.dryRun(t, body).PDF), end.Format("2 January 2006"))
	letter := p.cancel(t, body)
	p.untilCancellation(t, letter.CancellationID, stands("Delivered"))
	w := p.untilOutcome(t, letter.CancellationID, "Waiting")
	assert.Equal(t, day(end), w.EndDate)
	assert.Equal(t, c.SubscriptionID, w.SubscriptionID)
	again := p.send(t, http.MethodPost, cancellations, body)
	assert.Equal(t, http.StatusConflict, again.status)
	assert.Equal(t, "already_cancelled", again.problem(t).Code)
	assert.Contains(t, string(again.body), letter.CancellationID)
	p.verifyEvidence(t, letter.CancellationID)

	p.advance(t, "P30D")
	p.pays(t, l, account, "Kinopolar", "-8.99", end.AddDate(0, 0, 1))
	w = p.untilOutcome(t, letter.CancellationID, "StillDebited")
	require.Len(t, w.DebitsAfterEnd, 1)
	assert.Equal(t, day(end.AddDate(0, 0, 1)), w.DebitsAfterEnd[0].Date)
	told := r.await(t, "the debit", about(p, "cancellation.debit_after_end"))
	assert.Contains(t, string(told.body), w.DebitsAfterEnd[0].TransactionID)
	objection := p.object(t, letter.CancellationID, body)
	told = r.await(t, "the objection", about(p, "objection.delivered"))
	assert.Contains(t, string(told.body), objection)
	p.verifyEvidence(t, objection)

	p.advance(t, "P2M")
	w = p.untilOutcome(t, letter.CancellationID, "Ended")
	r.await(t, "the end", about(p, "cancellation.effective"))
	assert.Len(t, r.all(about(p, "cancellation.debit_after_end")), 1)
	var saved struct {
		Data struct {
			Savings []struct {
				CurrencyCode             string
				YearlySaving, SavedSoFar jsonNumber
				Contracts                []struct {
					CancellationID string
					LastDebit      struct{ TransactionID string }
				}
			}
		}
	}
	p.send(t, http.MethodGet, "/openbanking/v1/insights/savings", nil).decode(t, &saved)
	require.Len(t, saved.Data.Savings, 1)
	total := saved.Data.Savings[0]
	assert.Equal(t, "EUR", total.CurrencyCode)
	assert.Equal(t, c.YearlyCost, total.YearlySaving)
	assert.Equal(t, jsonNumber("17.98"), total.SavedSoFar, "two payments did not come")
	require.Len(t, total.Contracts, 1)
	assert.Equal(t, letter.CancellationID, total.Contracts[0].CancellationID)
	assert.Equal(t, w.DebitsAfterEnd[0].TransactionID, total.Contracts[0].LastDebit.TransactionID)
	p.verifyEvidence(t, letter.CancellationID)
}

// sixMonths returns the same day of six months, the latest first.
func sixMonths() (months []time.Time) {
	last := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -10)
	last = last.AddDate(0, 0, -max(0, last.Day()-28))
	for ago := range 6 {
		months = append(months, last.AddDate(0, -ago, 0))
	}
	return months
}
