package blackbox_test

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// with is a body with some members set.
func with(body map[string]any, members ...any) map[string]any {
	changed := maps.Clone(body)
	for i := 0; i+1 < len(members); i += 2 {
		changed[members[i].(string)] = members[i+1]
	}
	return changed
}

const externalID = "externalCancellationRequestIdentifier"

func TestCancelUnderAnExternalIdentifier(t *testing.T) {
	t.Parallel()
	p := anotherPartner(t, "sandbox")
	body := with(letterTo(p.product(t, "Success Society")), externalID, "Auftrag 4711 / ä")
	first := p.cancel(t, body)
	parameters := slices.Clone(body["parameters"].([]any))
	slices.Reverse(parameters)
	for name, same := range map[string]map[string]any{"unchanged": body, "in another order": with(body, "parameters", parameters)} {
		again := p.send(t, http.MethodPost, cancellations, same)
		assert.Equal(t, http.StatusOK, again.status, name)
		assert.Equal(t, first.CancellationID, again.cancellation(t).CancellationID, name)
	}
	other := slices.Clone(parameters)
	other[0] = map[string]any{"fieldKey": other[0].(map[string]any)["fieldKey"], "fieldValue": "false"}
	for name, changed := range map[string]map[string]any{
		"another value":     with(body, "parameters", other),
		"another signature": with(body, "signature", map[string]any{"type": "TEXT", "data": "A. Sommer"}),
		"another locale":    with(body, "locale", "de-DE"),
		"another contract":  with(letterTo(p.product(t, "Nur Fax")), externalID, body[externalID]),
		"an extra consent":  with(body, "extraConsent", true),
	} {
		a := p.refused(t, http.MethodPost, cancellations, changed, 409, "external_identifier_reused")
		assert.Equal(t, "/"+externalID, a.problem(t).Errors[0].Pointer, name)
	}
	listed := p.listCancellations(t, externalID+"=Auftrag+4711+%2F+%C3%A4")
	require.Len(t, listed, 1)
	assert.Equal(t, first.CancellationID, listed[0].CancellationID)
	for _, elsewhere := range []partner{anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox-2")} {
		assert.NotEqual(t, first.CancellationID, elsewhere.cancel(t, body).CancellationID, "an identifier belongs to one user")
	}
}

// Of many that come at once, one makes the cancellation, and its letter goes out
// once.
func TestCancelManyTimesAtOnce(t *testing.T) {
	t.Parallel()
	for name, extra := range map[string][]string{"external identifier": nil, "idempotency key": {"Idempotency-Key", uuid.NewString()}} {
		t.Run("same "+name, func(t *testing.T) {
			p := newPartner(t, "sandbox")
			body := letterTo(p.product(t, "Success Society"))
			if extra == nil {
				body[externalID] = uuid.NewString()
			}
			answers := make([]answer, 8)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = p.send(t, http.MethodPost, cancellations, body, extra...) })
			}
			all.Wait()
			created, ids := 0, map[string]bool{}
			for _, a := range answers {
				switch a.status {
				case http.StatusConflict:
					assert.Equal(t, "idempotency_in_progress", a.problem(t).Code)
					assert.NotNil(t, extra, "only a key is in progress")
				case http.StatusCreated, http.StatusOK:
					ids[a.cancellation(t).CancellationID] = true
					if a.status == http.StatusCreated && a.header.Get("Idempotency-Replayed") == "" {
						created++
					}
				default:
					assert.Fail(t, "neither made nor replayed", "%d %s", a.status, a.body)
				}
			}
			assert.Equal(t, 1, created)
			assert.Len(t, ids, 1)
			list := p.listCancellations(t, "limit=200")
			require.Len(t, list, 1)
			c := p.untilCancellation(t, list[0].CancellationID, stands("Delivered"))
			assert.Equal(t, "Created Queued Sent Delivered", c.steps())
		})
	}
}

// A second letter to the same company is mostly a mistake.
func TestCancelTwice(t *testing.T) {
	p := newPartner(t, "sandbox")
	body := letterTo(p.product(t, "Nur E-Mail"))
	first := p.cancel(t, body)
	another := request{method: http.MethodPost, path: cancellations, header: p.headers(), body: toJSON(t, body)}
	for _, status := range []string{"Created", "Delivered"} {
		if status != "Created" {
			p.untilCancellation(t, first.CancellationID, stands(status))
		}
		var inTheWay struct{ CancellationID string }
		refused(t, another, http.StatusConflict, "already_cancelled").decode(t, &inTheWay)
		assert.Equal(t, first.CancellationID, inTheWay.CancellationID)
	}
	p.dryRun(t, body)
	second := p.cancel(t, with(body, "repeat", true, "endDate", day(1)))
	assert.Equal(t, day(1), second.EndDate)
	p.untilCancellation(t, second.CancellationID, stands("Delivered"))
	require.Equal(t, http.StatusSeeOther, reply(t, second.CancellationID, "InconsistentData").status)
	p.cancel(t, body)
}

// day is a day so many years from today, where the letter arrives or near it.
func day(years int) string { return time.Now().AddDate(years, 0, 0).Format(time.DateOnly) }

func TestCancelWithdrawn(t *testing.T) {
	p := newPartner(t, "sandbox")
	// Post checks a letter before it is sent; till then it can be taken back, but
	// for the moments in which it is being handed over.
	c := p.cancel(t, letterTo(p.product(t, "Nur Post")))
	withdraw := request{method: http.MethodPost, path: cancellations + "/" + c.CancellationID + "/withdraw", header: p.headers()}
	var taken answer
	eventually(t, func() bool {
		taken = send(t, withdraw)
		return taken.status == http.StatusOK
	}, patience, 100*time.Millisecond, "it can't be taken back")
	assert.Equal(t, "Withdrawn", taken.cancellation(t).Status)
	assert.NotContains(t, taken.cancellation(t).steps(), "Sent")
	again := send(t, withdraw)
	assert.Equal(t, http.StatusOK, again.status)
	assert.Equal(t, taken.cancellation(t), again.cancellation(t), "withdrawing again changes nothing")
	assert.Equal(t, http.StatusConflict, reply(t, c.CancellationID, "Confirmed").status, "nobody answers what was not sent")
	assert.Equal(t, http.StatusOK, p.send(t, http.MethodGet, cancellations+"/"+c.CancellationID+"/letter", nil).status)
}

// A dry run shows the letter and leaves nothing behind.
func TestCancelDryRun(t *testing.T) {
	p := newPartner(t, "sandbox")
	for name, channel := range map[string]string{
		"Nur E-Mail": "Email", "Nur Post": "Mail", "Nur Einschreiben": "RegisteredMail", "Nur Fax": "Fax", "Nur mit Tinte": "Mail",
	} {
		body := with(letterTo(p.product(t, name)), externalID, "dry")
		d := p.dryRun(t, body)
		assert.Equal(t, channel, d.Channel, name)
		assert.Equal(t, "en-GB", d.Locale)
		assert.Equal(t, "%PDF-", string(d.PDF[:5]))
		assert.Equal(t, d.SHA256, sha(d.PDF))
		assert.NotEqual(t, d.SHA256, p.dryRun(t, with(body, "locale", "de-DE")).SHA256)
	}
	assert.Empty(t, p.listCancellations(t, "limit=200"))
	ink := with(letterTo(p.product(t, "Nur mit Tinte")), externalID, "dry")
	p.refused(t, http.MethodPost, cancellations, ink, 422, "form_not_supported")
	assert.Empty(t, p.listCancellations(t, "limit=200"))
	p.cancel(t, with(letterTo(p.product(t, "Nur E-Mail")), externalID, "dry"))
}
