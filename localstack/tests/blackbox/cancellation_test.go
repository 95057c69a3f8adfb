package blackbox_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The main job: a partner finds what a user wants to end, and ends it.
func TestCancel(t *testing.T) {
	p := newPartner(t, "sandbox")
	var categories struct {
		Data struct{ Categories []struct{ ID, Name string } }
	}
	p.send(t, http.MethodGet, "/cancellations/v1/categories?locale=en-GB", nil).decode(t, &categories)
	category := ""
	for _, c := range categories.Data.Categories {
		if c.Name == "Test organizations" {
			category = c.ID
		}
	}
	require.NotEmpty(t, category, categories.Data.Categories)
	organizations := map[string]organization{}
	for next := ""; ; {
		var page struct {
			Data struct{ Organizations []organization }
			Meta struct{ Pagination struct{ NextToken string } }
		}
		p.send(t, http.MethodGet,
			"/cancellations/v1/organizations?locale=en-GB&limit=5&categoryId="+category+"&nextToken="+next,
			nil).decode(t, &page)
		for _, o := range page.Data.Organizations {
			assert.Equal(t, category, o.CategoryID)
			assert.NotContains(t, organizations, o.Name, "it is there twice")
			organizations[o.Name] = o
		}
		if next = page.Meta.Pagination.NextToken; next == "" {
			break
		}
	}
	assert.GreaterOrEqual(t, len(organizations), 12)
	bought := p.product(t, "Nur E-Mail")
	assert.Equal(t, organizations["Nur E-Mail"].ID, bought.OrganizationID)

	body := letterTo(bought)
	body["externalCancellationRequestIdentifier"] = uuid.NewString()
	for _, f := range bought.Template {
		assert.NotEmpty(t, f.Label, f.FieldKey)
		re, err := regexp.Compile(f.Format)
		require.NoError(t, err)
		for _, parameter := range body["parameters"].([]any) {
			if parameter := parameter.(map[string]any); parameter["fieldKey"] == f.FieldKey {
				assert.Regexp(t, re, parameter["fieldValue"])
			}
		}
	}
	before := p.dryRun(t, body)
	created := p.cancel(t, body)
	assert.Equal(t, "Created", created.Status)
	assert.Equal(t, body["externalCancellationRequestIdentifier"], created.ExternalID)
	assert.Equal(t, []string{bought.OrganizationID, bought.ProductID}, []string{created.OrganizationID, created.ProductID})
	if after := p.dryRun(t, body); before.SHA256 == after.SHA256 { // and so no midnight between them
		assert.Equal(t, before.SHA256, created.LetterSHA256)
	}

	delivered := p.untilCancellation(t, created.CancellationID, stands("Delivered"))
	assert.Equal(t, "Created Queued Sent Delivered", delivered.steps())
	assert.Equal(t, "Email", delivered.Channel)
	assert.Empty(t, delivered.StatusReason+delivered.TrackingNumber)
	for i, s := range delivered.History[1:] {
		assert.False(t, s.At.Before(delivered.History[i].At), "the history goes forward")
	}
	a := p.send(t, http.MethodGet, cancellations+"/"+created.CancellationID+"/letter", nil)
	require.Equal(t, http.StatusOK, a.status)
	assert.Equal(t, "application/pdf", a.header.Get("Content-Type"))
	assert.Equal(t, `inline; filename="Cancellation.pdf"`, a.header.Get("Content-Disposition"))
	assert.Equal(t, created.LetterSHA256, sha(a.body))

	m := mailWith(t, created.LetterSHA256)
	assert.Equal(t, []string{"vertrag@nur-e-mail.example"}, m.Destination.To)
	assert.Equal(t, []string{"anna.sommer@example.org"}, m.ReplyTo)
	assert.Equal(t, `"Anna Sommer via Aviso" <letters@aviso.example>`, m.From)
	assert.Equal(t, "application/pdf", m.Attachments[0].ContentType)
	assert.Contains(t, m.Subject, bought.Name)
	assert.Contains(t, m.Body.Text, "K-204817")

	assert.Equal(t, http.StatusSeeOther, reply(t, created.CancellationID, "Confirmed").status)
	assert.Equal(t, "Confirmed", p.cancellation(t, created.CancellationID).Status)
	assert.Equal(t, http.StatusConflict, reply(t, created.CancellationID, "BindingPeriod").status, "the organization has answered")
	p.refused(t, http.MethodPost, cancellations+"/"+created.CancellationID+"/withdraw", nil, 409, "cancellation_not_withdrawable")
	assert.Equal(t, "Created Queued Sent Delivered Confirmed", p.cancellation(t, created.CancellationID).steps())
}

// Each way that a letter can go, with what its carrier tells.
func TestCancelByEveryWay(t *testing.T) {
	ways := map[string]struct{ channel, steps, reason, atCarrier string }{
		"Success Society":  {"Email", "Created Queued Sent Delivered", "", ""},
		"Complaint Club":   {"Email", "Created Queued Sent Delivered", "", ""},
		"Nur Post":         {"Mail", "Created Queued Sent", "", "sent"},
		"Nur Einschreiben": {"RegisteredMail", "Created Queued Sent Delivered", "", "delivered"},
		"Nur Fax":          {"Fax", "Created Queued Sent Delivered", "", "COMPLETED"},
		"Bounce GmbH":      {"Mail", "Created Queued Sent Queued Sent", "", "sent"},
		"Suppressed Ltd":   {"Fax", "Created Queued Sent Queued Sent Delivered", "", "COMPLETED"},
		"Sackgasse GmbH":   {"Email", "Created Queued Sent DeliveryFailed", "Undeliverable", ""},
	}
	// All letters are under way before the first is waited for.
	p, ids := newPartner(t, "sandbox"), map[string]string{}
	for name := range ways {
		ids[name] = p.cancel(t, letterTo(p.product(t, name))).CancellationID
	}
	for name, want := range ways {
		t.Run(name, func(t *testing.T) {
			c := p.untilCancellation(t, ids[name], func(c cancellation) bool { return c.steps() == want.steps })
			assert.Equal(t, want.channel, c.Channel)
			assert.Equal(t, want.reason, c.StatusReason)
			assert.Equal(t, want.channel == "RegisteredMail", c.TrackingNumber != "", c.TrackingNumber)
			if want.atCarrier == "" {
				assert.Empty(t, atCarriers(t, c.CancellationID))
				return
			}
			eventually(t, func() bool { return atCarriers(t, c.CancellationID)[0].State == want.atCarrier }, patience, 100*time.Millisecond)
			letter := atCarriers(t, c.CancellationID)[0]
			assert.Equal(t, want.channel, letter.How)
			assert.Equal(t, c.LetterSHA256, sha(browse(t, http.MethodGet, service.baseURL+letter.File, nil).body))
		})
	}
}
