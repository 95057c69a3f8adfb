package notification_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/notification"
)

func TestEventTypes(t *testing.T) {
	types := notification.EventTypes()

	t.Run("match the interface, in order", func(t *testing.T) {
		var names []string
		for _, e := range types {
			names = append(names, e.Type)
		}
		assert.Equal(t, []string{
			"connection.activated", "connection.failed", "connection.refreshed", "connection.sync_failed",
			"connection.sync_recovered", "connection.action_required", "connection.expiring", "connection.data_expiring", "connection.expired",
			"connection.revoked", "connection.deleted", "transactions.updated", "contract.deadline_approaching",
			"contract.price_increased", "cancellation.created",
			"cancellation.queued", "cancellation.sent", "cancellation.delivered", "cancellation.confirmed", "cancellation.replied",
			"cancellation.delivery_failed",
			"cancellation.rejected", "cancellation.withdrawn", "cancellation.debit_after_end", "cancellation.effective",
			"objection.sent", "objection.delivered", "objection.delivery_failed", "user.erased", "subscription.failing",
			"webhook.ping",
		}, names)
	})

	for _, e := range types {
		t.Run(e.Type, func(t *testing.T) {
			assert.NotEmpty(t, e.Description)
			require.NoError(t, notification.ValidateData(e.Type, e.Example))
			var schema struct {
				Schema     string `json:"$schema"`
				Properties map[string]any
				Required   []string
				Additional *bool `json:"additionalProperties"`
			}
			require.NoError(t, json.Unmarshal(e.Schema, &schema))
			assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema.Schema)
			require.NotNil(t, schema.Additional)
			assert.False(t, *schema.Additional)
			assert.Len(t, schema.Properties, len(schema.Required))

			found, known := notification.FindEventType(e.Type)
			assert.True(t, known)
			assert.Equal(t, e, found)

			var example map[string]any
			require.NoError(t, json.Unmarshal(e.Example, &example))
			for _, name := range schema.Required {
				without := map[string]any{}
				for n, v := range example {
					if n != name {
						without[n] = v
					}
				}
				text, err := json.Marshal(without)
				require.NoError(t, err)
				assert.Equal(t, []apierror.Field{{Pointer: "/data/" + name, Code: "required", Detail: "This member is required."}},
					refusal(t, notification.ValidateData(e.Type, text)).Fields)
			}
		})
	}

	t.Run("have the members that partners rely on", func(t *testing.T) {
		connection := []string{"connectionId", "providerId", "connectionStatus", "statusReason"}
		ending := append([]string{"consentExpiresAt"}, connection...)
		cancellation := []string{"cancellationId", "externalCancellationRequestIdentifier", "status", "statusReason", "channel"}
		objection := append(slices.Clone(cancellation), "objectionId")
		want := map[string][]string{
			"objection.sent": objection, "objection.delivered": objection, "objection.delivery_failed": objection,
			"connection.expiring": ending, "connection.expired": ending, "user.erased": {"erasureId"}, "webhook.ping": {"message"},
			"connection.data_expiring": append([]string{"dataExpiresAt"}, connection...),
			"transactions.updated":     {"connectionId", "added", "modified", "removed", "since"},
			"contract.deadline_approaching": {
				"subscriptionId", "organizationId", "productId", "contractStart", "contractStartSource", "earliestEnd", "channel",
				"sendBy", "nextChance", "certainty",
			},
			"contract.price_increased":     {"subscriptionId", "transactionId", "since"},
			"cancellation.confirmed":       append(slices.Clone(cancellation), "endDate"),
			"cancellation.replied":         append(slices.Clone(cancellation), "replyId", "kind", "endDate", "neededFields"),
			"cancellation.debit_after_end": append(slices.Clone(cancellation), "subscriptionId", "outcome", "transactionIds"),
			"cancellation.effective":       append(slices.Clone(cancellation), "subscriptionId", "outcome"),
			"subscription.failing": {
				"subscriptionId", "status", "statusReason", "failingSince", "failingReason", "failingDetail",
			},
		}
		for _, e := range types {
			members, special := want[e.Type]
			if !special {
				members = connection
				if e.Type[:4] == "canc" {
					members = cancellation
				}
			}
			var example map[string]any
			require.NoError(t, json.Unmarshal(e.Example, &example))
			var got []string
			for name := range example {
				got = append(got, name)
			}
			assert.ElementsMatch(t, members, got, e.Type)
		}
	})

	t.Run("with other names do not exist", func(t *testing.T) {
		_, known := notification.FindEventType("connection.lost")
		assert.False(t, known)
	})
}

// refusal returns err as an *apierror.Error.
func refusal(t *testing.T, err error) *apierror.Error {
	t.Helper()
	var refused *apierror.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, apierror.ValidationFailed, refused.Code)
	return refused
}
