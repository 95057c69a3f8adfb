package operatorfn

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/pfm"
	"aviso/localstack/tests/pfmtest"
)

// These tests capture the process's log, so they do not run in parallel.

func TestOperatorRefusesInOneClearSentence(t *testing.T) {
	c := newConsole(t)
	c.call(string(c.examples["create-partner"]))
	c.audited()
	for event, want := range map[string]string{
		string(c.examples["create-partner"]):                                                                                         "operator: There is already a partner with this ID.",
		`{"command":"create-partner","id":"Geheim","name":"","scopes":["x"]}`:                                                        "operator: The partner is not valid. /id: 1 to 64 lower-case letters, digits and hyphens. /name: One line of 1 to 100 characters. /scopes: One or more of identity, pfm, cancellation, webhook.",
		`{"command":"show-partner","id":"nobody"}`:                                                                                   "operator: There is no partner with this ID.",
		`{"command":"set-history-days","id":"acme","historyDays":-1}`:                                                                "operator: The number is not valid. /historyDays: A whole number from 0 to 3650.",
		`{"command":"set-licensed-entity","name":" ","register":"1","url":"http://a.example"}`:                                       "operator: The entity is not valid. /name: One line of 1 to 100 characters. /url: An absolute https URL without user information.",
		`{"command":"publish-terms","termsType":"Geheim","version":"1","url":"https://a.example"}`:                                   "operator: The terms are not valid. /termsType: One of Operator, BankingSupplier and CancellationProvider.",
		string(c.examples["inspect-cancellation"]):                                                                                   "operator: There is no such cancellation.",
		string(c.examples["confirm-cancellation"]):                                                                                   "operator: There is no such cancellation.",
		`{"command":"reject-cancellation","cancellationId":"019a4f71-2d9c-7f64-9e50-3c4d5e6f7081","reason":"Geheim"}`:                "operator: The reason is not valid. /reason: One of UserNotFound, InconsistentData, AlreadyCancelled and BindingPeriod.",
		string(c.examples["disable-subscription"]):                                                                                   "operator: There is no subscription with this ID.",
		string(c.examples["inspect-delivery"]):                                                                                       "operator: There is no such delivery: the event has not been dispatched, the subscription did not want it, or the delivery ended more than 30 days ago.",
		`{"command":"inspect-delivery","partner":"acme","subscriptionId":"019a4f6e-2d10-7c35-8b1e-5f0c7a9d4e21"}`:                    "operator: Either eventId or deliveryId is required, but not both.",
		`{"command":"inspect-delivery","partner":"acme","subscriptionId":"019a4f6e-2d10-7c35-8b1e-5f0c7a9d4e21","deliveryId":"d#1"}`: "operator: An ID is not valid. /deliveryId: Must be a UUID in lower case.",
		`{"command":"import-providers"}`:                                                                                             "operator: file is required: the content of the file in base64.",
		`{"command":"redrive-queue","queue":"other"}`:                                                                                "operator: queue must be one of clock, delivery, letter, relay, reply, sandbox, sync.",
		`{"command":"redrive-queue","queue":"sync","limit":0}`:                                                                       "operator: limit must be a whole number from 1 to 10000.",
		`{"command":"redrive-queue","queue":"sync","limit":10001}`:                                                                   "operator: limit must be a whole number from 1 to 10000.",
	} {
		assert.Equal(t, want, c.refused(event), event)
		lines := c.audited()
		require.Len(t, lines, 1, event)
		assert.Equal(t, "refused", lines[0]["outcome"])
		assert.Equal(t, "WARN", lines[0]["level"])
		for _, value := range lines[0] {
			assert.NotContains(t, value, "Geheim", "an invalid ID may be a secret")
		}
	}
}

func TestOperatorSaysWhatFailed(t *testing.T) {
	c := newConsole(t)
	c.env["IDENTITY_TABLE"] = "no-such-table"
	handler, err := New(t.Context(), func(name string) string { return c.env[name] })
	require.NoError(t, err)
	c.handler = handler
	c.refused(string(c.examples["show-partner"]))
	lines := c.audited()
	require.Len(t, lines, 1)
	assert.Equal(t, "failed", lines[0]["outcome"])
	assert.Equal(t, "ERROR", lines[0]["level"])
	assert.Equal(t, "acme", lines[0]["partner"])
}

func TestOperatorRecordsAnswersOfOrganizations(t *testing.T) {
	c := newConsole(t)
	confirm := string(c.examples["confirm-cancellation"])
	id := c.member("confirm-cancellation", "cancellationId")
	c.cancelled(id, cancellation.StatusDelivered)
	for range 2 { // again changes nothing
		assert.Equal(t, "Confirmed", c.call(confirm)["status"])
	}
	assert.Equal(t, 1, strings.Count(strings.Join(c.told(), " "), "cancellation.confirmed"))
	assert.Equal(t, "operator: The cancellation is Confirmed. Only a Sent or Delivered cancellation can be answered.",
		c.refused(`{"command":"reject-cancellation","cancellationId":"`+id+`","reason":"UserNotFound"}`))

	early := uuid.NewString()
	c.cancelled(early, cancellation.StatusQueued)
	assert.Equal(t, "operator: The cancellation is Queued. Only a Sent or Delivered cancellation can be answered.",
		c.refused(`{"command":"confirm-cancellation","cancellationId":"`+early+`"}`))
}

func importEventOf(t *testing.T, file string, more map[string]any) string {
	t.Helper()
	event := map[string]any{"command": "import-providers", "file": []byte(file)}
	maps.Copy(event, more)
	text, err := json.Marshal(event)
	require.NoError(t, err)
	return string(text)
}

// providerLine returns the provider of the example, changed by edit.
func (c *console) providerLine(from, to string) string {
	c.Helper()
	var e event
	require.NoError(c, json.Unmarshal(c.examples["import-providers"], &e))
	return strings.ReplaceAll(string(e.File), from, to)
}

func TestOperatorImportsProviders(t *testing.T) {
	c := newConsole(t)
	answer := func(changes map[string]any) map[string]any {
		want := map[string]any{
			"dryRun": false, "new": 0.0, "changed": 0.0, "retired": 0.0, "unchanged": 0.0,
			"newIds": []any{}, "changedIds": []any{}, "retiredIds": []any{}, "errorCount": 0.0, "errors": []any{},
		}
		maps.Copy(want, changes)
		return want
	}
	const id, other = "0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b10", "0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b11"
	line := c.providerLine("", "")
	assert.Equal(t, answer(map[string]any{"dryRun": true, "new": 1.0, "newIds": []any{id}}),
		c.call(importEventOf(t, line, map[string]any{"dryRun": true})))
	assert.Equal(t, answer(map[string]any{"new": 1.0, "newIds": []any{id}}), c.call(importEventOf(t, line, nil)))
	assert.Equal(t, answer(map[string]any{"unchanged": 1.0}), c.call(importEventOf(t, line, nil)))
	renamed := c.providerLine("Nordlicht Bank", "Nordlicht")
	assert.Equal(t, answer(map[string]any{"changed": 1.0, "changedIds": []any{id}}), c.call(importEventOf(t, renamed, nil)))
	assert.Equal(t, answer(map[string]any{"new": 1.0, "retired": 1.0, "newIds": []any{other}, "retiredIds": []any{id}}),
		c.call(importEventOf(t, c.providerLine(id, other), map[string]any{"retireMissing": true})))
	c.audited()

	bad := line + c.providerLine("Europe/Berlin", "Europe/Atlantis")
	got := c.call(importEventOf(t, bad, nil))
	assert.Equal(t, answer(map[string]any{"errorCount": 2.0, "errors": []any{
		map[string]any{"line": 2.0, "path": "/timezone", "problem": "must be an IANA time zone, such as Europe/Berlin"},
		map[string]any{"line": 2.0, "path": "/id", "problem": "line 1 has the same ID"},
	}}), got)
	lines := c.audited()
	require.Len(t, lines, 1)
	assert.Equal(t, "refused", lines[0]["outcome"])

	overHTTP := c.providerLine("https://xs2a", "http://xs2a")
	assert.EqualValues(t, 0, c.call(importEventOf(t, overHTTP, map[string]any{"dryRun": true}))["errorCount"],
		"this environment has sandboxes")
	c.env["ENVIRONMENT"] = "acceptance"
	handler, err := New(t.Context(), func(name string) string { return c.env[name] })
	require.NoError(t, err)
	c.handler = handler
	assert.EqualValues(t, 1, c.call(importEventOf(t, overHTTP, nil))["errorCount"])
}

func TestOperatorListsAtMostAThousandProviders(t *testing.T) {
	t.Parallel()
	var r pfm.ProviderImport
	for id := range 1500 {
		r.New = append(r.New, pfmtest.ID(id))
	}
	a := providersAnswer(r)
	assert.Equal(t, 1500, a["new"])
	assert.Len(t, a["newIds"], 1000)
}

func TestOperatorRedrivesDeadLetters(t *testing.T) {
	c := newConsole(t)
	for _, name := range []string{"letter", "delivery", "sandbox"} {
		variable := strings.ToUpper(name)
		c.send(c.env[variable+"_DEAD_LETTERS_URL"], "one")
		c.send(c.env[variable+"_DEAD_LETTERS_URL"], "two")
		for i, limit := range []string{`,"limit":1`, ""} {
			moved := c.call(`{"command":"redrive-queue","queue":"` + name + `"` + limit + "}")
			assert.Equal(t, map[string]any{"queue": name, "moved": 1.0, "deleted": 0.0, "more": i == 0}, moved)
		}
		assert.ElementsMatch(t, []string{"one", "two"}, c.bodies(c.env[variable+"_QUEUE_URL"]))
	}

	t.Run("but has no sandbox in production", func(t *testing.T) {
		c.env["SANDBOX_QUEUE_URL"], c.env["SANDBOX_DEAD_LETTERS_URL"] = "", ""
		handler, err := New(t.Context(), func(name string) string { return c.env[name] })
		require.NoError(t, err)
		_, err = handler.Invoke(t.Context(), []byte(`{"command":"redrive-queue","queue":"sandbox"}`))
		require.EqualError(t, err, "operator: This environment has no sandbox.")
	})
}

func TestOperatorClearsRecordsOfTheRelayOnceAllIsSent(t *testing.T) {
	c := newConsole(t)
	const relay = `{"command":"redrive-queue","queue":"relay"}`
	c.send(c.env["RELAY_DEAD_LETTERS_URL"], `{"DDBStreamBatchInfo":{}}`)

	c.leaveInOutbox()
	answer := c.call(relay)
	assert.EqualValues(t, 1, answer["waiting"])
	assert.EqualValues(t, 0, answer["deleted"])
	assert.Contains(t, answer["note"], "the records were kept")

	c.emptyOutbox()
	answer = c.call(relay)
	assert.EqualValues(t, 0, answer["waiting"])
	assert.EqualValues(t, 1, answer["deleted"])
	assert.Empty(t, c.bodies(c.env["RELAY_DEAD_LETTERS_URL"]))
}
