package operatorfn

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/pfm/pfmdb"
)

// example is one file of events/operator, with its setup and its expected result,
// in an order in which they can run.
type example struct {
	command string
	prepare func(c *console)
	check   func(c *console, answer map[string]any)
}

func examples() []example {
	none := func(*console) {}
	return []example{
		{"create-partner", none, func(c *console, answer map[string]any) {
			assert.Equal(c, []any{"cancellation", "identity", "pfm", "webhook"}, answer["scopes"])
			p, err := identitydb.New(c.db, c.env["IDENTITY_TABLE"]).Partner(c.Context(), "acme")
			require.NoError(c, err)
			secret, _ := answer["clientSecret"].(string)
			require.GreaterOrEqual(c, len(secret), 52, "256 bits")
			require.Len(c, p.Secrets, 1)
			assert.Equal(c, identity.HashSecret(secret), p.Secrets[0].Hash)
		}},
		{"show-partner", none, func(c *console, answer map[string]any) {
			assert.Equal(c, map[string]any{
				"id": "acme", "name": "Acme Budget App", "displayName": "Acme Budget App", "scopes": []any{"cancellation", "identity", "pfm", "webhook"},
				"returnUrls": []any{"https://acme.example/back"}, "alertEmail": "", "disabled": false, "historyDays": 0.0,
				"secrets": []any{map[string]any{"expiresAt": nil}},
			}, answer)
		}},
		{"rotate-partner-secret", none, func(c *console, answer map[string]any) {
			assert.NotEmpty(c, answer["clientSecret"])
			secrets, _ := answer["secrets"].([]any)
			require.Len(c, secrets, 2)
			assert.NotEqual(c, secrets[1], secrets[0])
			assert.Equal(c, map[string]any{"expiresAt": nil}, secrets[1])
		}},
		{"set-return-urls", none, func(c *console, answer map[string]any) { assert.Len(c, answer["returnUrls"], 2) }},
		{"set-display-name", none, func(c *console, answer map[string]any) {
			assert.Equal(c, "Acme Budget", answer["displayName"])
			assert.Equal(c, "Acme Budget App", answer["name"])
		}},
		{"set-alert-email", none, func(c *console, answer map[string]any) {
			assert.Equal(c, "on-call@acme.example", answer["alertEmail"])
		}},
		{"disable-partner", none, func(c *console, answer map[string]any) { assert.Equal(c, true, answer["disabled"]) }},
		{"enable-partner", none, func(c *console, answer map[string]any) {
			assert.Equal(c, false, answer["disabled"])
			assert.NotContains(c, answer, "clientSecret")
			shut, err := dynamo.DisabledIn(dynamo.NewTable(c.db, c.env["IDENTITY_TABLE"]), time.Now)(c.Context(), "acme")
			require.NoError(c, err)
			assert.False(c, shut)
		}},
		{"publish-terms", none, func(c *console, answer map[string]any) {
			terms, err := identitydb.New(c.db, c.env["IDENTITY_TABLE"]).Terms(c.Context())
			require.NoError(c, err)
			assert.Equal(
				c,
				[]identity.Terms{{Type: "Operator", Version: "2026-02", URL: "https://aviso.example/terms/operator/2026-02"}},
				terms,
			)
			assert.Equal(c, "2026-02", answer["version"])
		}},
		{"set-history-days", none, func(c *console, answer map[string]any) { assert.EqualValues(c, 90, answer["historyDays"]) }},
		{"set-licensed-entity", none, func(c *console, _ map[string]any) {
			entity, err := identitydb.New(c.db, c.env["IDENTITY_TABLE"]).Entity(c.Context())
			require.NoError(c, err)
			assert.Equal(c, identity.Entity{
				Name: "Konto Licht GmbH", Register: "BaFin 123456", PrivacyNotice: "https://aviso.example/privacy",
			}, entity)
		}},
		{"import-catalogue", none, func(c *console, answer map[string]any) {
			assert.Equal(c, true, answer["dryRun"], "the example must not remove anybody's catalogue")
			assert.Equal(c, []any{"kinolino", "vidorama"}, answer["newSlugs"])
		}},
		{"import-providers", none, func(c *console, answer map[string]any) {
			require.Equal(c, []any{"0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b10"}, answer["newIds"])
			p, err := pfmdb.New(c.db, c.env["PFM_TABLE"], c.env["OUTBOX_TABLE"], time.Now, uuid.NewString).Provider(
				c.Context(), "0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b10",
			)
			require.NoError(c, err)
			assert.Equal(c, "https://xs2a.bank.example/berlin", p.Endpoint.BaseURL)
		}},
		{"import-aspsps", func(c *console) {
			c.examples["import-aspsps"] = c.aggregated()
		}, func(c *console, answer map[string]any) {
			assert.InDelta(c, 2, answer["new"], 0)
			assert.InDelta(c, 0, answer["notOffered"], 0)
		}},
		{"bank-check", func(c *console) {
			c.sandboxBank(c.member("bank-check", "providerId"))
		}, func(c *console, answer map[string]any) {
			state, _ := answer["state"].(map[string]any)
			assert.Equal(c, false, state["done"])
			next, _ := state["next"].(map[string]any)
			assert.Contains(c, next["url"], "/authorise/")
			assert.NotContains(c, answer, "verdict")
		}},
		{"inspect-cancellation", func(c *console) {
			c.cancelled(c.member("inspect-cancellation", "cancellationId"), cancellation.StatusSent)
		}, func(c *console, answer map[string]any) {
			assert.Equal(c, "Sent", answer["status"])
			assert.Equal(c, []any{"Fax", "Mail"}, answer["channels"])
			shipment, _ := answer["shipment"].(map[string]any)
			assert.Equal(c, "fax-1", shipment["reference"])
			assert.EqualValues(c, 2, shipment["tries"])
			assert.Nil(c, answer["nextTryAt"])
			assert.Nil(c, shipment["triedAt"])
			assert.NotNil(c, shipment["since"])
		}},
		{"confirm-cancellation", func(c *console) {
			c.cancelled(c.member("confirm-cancellation", "cancellationId"), cancellation.StatusSent)
		}, func(c *console, answer map[string]any) {
			assert.Equal(c, "Confirmed", answer["status"])
			assert.Contains(c, c.told(), "cancellation.confirmed")
		}},
		{"reject-cancellation", func(c *console) {
			c.cancelled(c.member("reject-cancellation", "cancellationId"), cancellation.StatusDelivered)
		}, func(c *console, answer map[string]any) {
			assert.Equal(c, "Rejected", answer["status"])
			assert.Equal(c, "BindingPeriod", answer["statusReason"])
			assert.Contains(c, c.told(), "cancellation.rejected")
		}},
		{"inspect-delivery", func(c *console) {
			c.subscribed("inspect-delivery", c.member("inspect-delivery", "eventId"))
		}, func(c *console, answer map[string]any) {
			assert.Equal(c, "Pending", answer["status"])
			assert.Equal(c, "webhook.ping", answer["eventType"])
			assert.Equal(c, []any{}, answer["attempts"])
			subscription := c.member("inspect-delivery", "subscriptionId")
			assert.Equal(c, answer, c.call(`{"command":"inspect-delivery","partner":"acme","subscriptionId":"`+subscription+
				`","deliveryId":"`+answer["deliveryId"].(string)+`"}`))
		}},
		{"disable-subscription", none, func(c *console, answer map[string]any) {
			assert.Equal(c, "Disabled", answer["status"])
			assert.Equal(c, "DisabledByOperator", answer["statusReason"])
		}},
		{"enable-subscription", none, func(c *console, answer map[string]any) {
			assert.Equal(c, "Active", answer["status"])
			assert.Empty(c, answer["statusReason"])
		}},
		{"reseal-webhook-keys", none, func(c *console, answer map[string]any) {
			assert.Equal(c, map[string]any{"secrets": 1.0, "resealed": 0.0, "unopened": 1.0}, answer,
				"it was sealed with the test's own root")
		}},
		{
			"redrive-queue",
			func(c *console) { c.send(c.env["SYNC_DEAD_LETTERS_URL"], `{"job":1}`) },
			func(c *console, answer map[string]any) {
				assert.EqualValues(c, 1, answer["moved"])
				assert.Equal(c, []string{`{"job":1}`}, c.bodies(c.env["SYNC_QUEUE_URL"]))
			},
		},
	}
}

func TestEveryExampleOfTheOperatorWorks(t *testing.T) {
	c := newConsole(t)
	var played []string
	for _, s := range examples() {
		played = append(played, s.command)
		t.Run(s.command, func(t *testing.T) {
			at := *c
			at.T = t
			require.Contains(t, at.examples, s.command, "events/operator/%s.json is missing", s.command)
			require.Equal(t, s.command, at.member(s.command, "command"))
			harmless := regexp.MustCompile(`"(command": "(show|inspect)-|dryRun": true)`).Match(at.examples[s.command])
			_, err := os.Stat("../../../events/operator/" + s.command + "-for-real.json")
			assert.Equal(t, !harmless, err == nil, "an event that acts says so in its name, and no other")
			s.prepare(&at)
			at.log.Reset()
			answer := at.call(string(at.examples[s.command]))
			log := at.log.String()
			assert.NotContains(t, log, secretText)
			if secret, ok := answer["clientSecret"].(string); ok {
				assert.NotContains(t, log, secret)
				assert.NotContains(t, log, identity.HashSecret(secret))
			}
			lines := at.audited()
			require.Len(t, lines, 1)
			assert.Equal(t, s.command, lines[0]["command"])
			assert.Equal(t, "done", lines[0]["outcome"])
			assert.Equal(t, "request-1", lines[0]["requestId"])
			if s.command != "reseal-webhook-keys" { // which is done to all
				assert.Greater(t, len(lines[0]), 6, "the line names the object")
			}
			s.check(&at, answer)
		})
	}
	slices.Sort(played)
	assert.Equal(t, played, names((&operations{}).commands()), "a command without a step here")
	assert.Equal(t, played, names(c.examples), "a command without an example, or an example without a command")
	page, err := os.ReadFile("../../../docs/operator.md")
	require.NoError(t, err)
	for _, command := range played {
		assert.Regexp(t, "(?m)^\\|.*`"+command+"`.*\\|.*\\|.*\\|$", string(page), "docs/operator.md has no row for it")
	}
}

func names[V any](m map[string]V) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
