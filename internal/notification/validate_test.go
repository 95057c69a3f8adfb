package notification_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/notification"
)

func TestValidateData(t *testing.T) {
	const id = "3f2a9f0e-5f0b-4c8e-9a57-0c2f1f8f6d10"
	updated := func(member, value string) string {
		members := map[string]string{"connectionId": `"` + id + `"`, "added": "1", "modified": "0", "removed": "0", "since": `"t"`}
		members[member] = value
		var list []string
		for name, v := range members {
			list = append(list, `"`+name+`":`+v)
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	for name, tt := range map[string]struct {
		kind, data string
		want       []apierror.Field
	}{
		"an unknown type": {"hunter2.type", `{}`, []apierror.Field{{Pointer: "/eventType", Code: "unknown", Detail: "There is no such type. GET /webhooks/v1/event-types lists them."}}},
		"not an object":   {"user.erased", `"hunter2"`, []apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "expected object"}}},
		"null":            {"user.erased", `null`, []apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "expected object"}}},
		"not JSON":        {"user.erased", `{hunter2`, []apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "not a JSON value"}}},
		"two values":      {"user.erased", `{} "hunter2"`, []apierror.Field{{Pointer: "/data", Code: "invalid", Detail: "not a JSON value"}}},
		"not a UUID":      {"user.erased", `{"erasureId":"hunter2"}`, []apierror.Field{{Pointer: "/data/erasureId", Code: "invalid", Detail: "expected the format uuid"}}},
		"a wrong type":    {"transactions.updated", updated("added", `"hunter2"`), []apierror.Field{{Pointer: "/data/added", Code: "invalid", Detail: "expected integer"}}},
		"a negative count": {"transactions.updated", updated("added", "-1"), []apierror.Field{
			{Pointer: "/data/added", Code: "invalid", Detail: "not a value of the schema of this event type"},
		}},
		"an unknown member": {"webhook.ping", `{"message":"m","a~/b":"hunter2"}`, []apierror.Field{{Pointer: "/data/a~0~1b", Code: "unknown_member", Detail: "unexpected property"}}},
		"several": {"connection.failed", `{"connectionId":"hunter2","connectionStatus":"hunter2","statusReason":""}`, []apierror.Field{
			{Pointer: "/data/connectionId", Code: "invalid", Detail: "expected the format uuid"},
			{Pointer: "/data/connectionStatus", Code: "invalid", Detail: `expected one of ["Failed"]`},
			{Pointer: "/data/providerId", Code: "required", Detail: "This member is required."},
		}},
		"a date instead of a time": {"connection.expiring", `{"connectionId":"` + id + `","providerId":"` + id + `","connectionStatus":"Active","statusReason":"","consentExpiresAt":"2026-06-01"}`, []apierror.Field{
			{Pointer: "/data/consentExpiresAt", Code: "invalid", Detail: "expected the format date-time"},
		}},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			refused := refusal(t, notification.ValidateData(tt.kind, json.RawMessage(tt.data)))
			assert.Equal(t, tt.want, refused.Fields)
			assert.NotContains(t, refused.Error(), "hunter2")
		})
	}

	t.Run("accepts what matches", func(t *testing.T) {
		assert.NoError(t, notification.ValidateData("transactions.updated", json.RawMessage(updated("added", "1e2"))))
	})
}

func FuzzValidateData(f *testing.F) {
	for _, e := range notification.EventTypes() {
		f.Add(e.Type, []byte(e.Example))
	}
	f.Add("user.erased", []byte(`{"erasureId":[[]],"":{"":0}}`))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		err := notification.ValidateData(kind, data)
		var refused *apierror.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if refused != nil && len(refused.Fields) == 0 {
			t.Fatal("refused without saying what is wrong")
		}
	})
}

// We check data ourselves, but partners use the schemas. A library that implements
// all of JSON Schema must agree with us.
func TestValidateDataAgreesWithJSONSchema(t *testing.T) {
	values := []string{
		`"3f2a9f0e-5f0b-4c8e-9a57-0c2f1f8f6d10"`, `"{3f2a9f0e-5f0b-4c8e-9a57-0c2f1f8f6d10}"`,
		`"3f2a9f0e5f0b4c8e9a570c2f1f8f6d10"`, `"2026-06-01T00:00:00Z"`, `"2026-06-01t00:00:00.5+01:00"`,
		`"2026-06-01T0:00:00Z"`, `"2026-06-01T00:00:00,5Z"`, `"2026-02-30T00:00:00Z"`, `"2026-06-01"`, `0`, `-0`,
		`-1`, `1.0`, `1.5`, `1e2`, `1e400`, `1000000000`, `1000000001`, `"0"`, `true`, `null`, `[]`, `{}`, `""`,
		`"Active"`, `"Email"`, `"a b"`, `"` + strings.Repeat("ü", 64) + `"`, `"` + strings.Repeat("a", 64) + `"`,
		`"` + strings.Repeat("a", 65) + `"`, `"` + strings.Repeat("a", 2049) + `"`,
	}
	for _, e := range notification.EventTypes() {
		schema := compiled(t, e)
		var example map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(e.Example, &example))
		for name := range maps.Keys(example) {
			for _, value := range values {
				changed := maps.Clone(example)
				changed[name] = json.RawMessage(value)
				data, err := json.Marshal(changed)
				require.NoError(t, err)
				parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
				require.NoError(t, err)
				want := schema.Validate(parsed) == nil
				assert.Equal(t, want, notification.ValidateData(e.Type, data) == nil, "%s with %s: %s", e.Type, name, value)
			}
		}
	}
}

func compiled(t *testing.T, e notification.EventType) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("https://aviso.example/"+e.Type, document))
	schema, err := c.Compile("https://aviso.example/" + e.Type)
	require.NoError(t, err)
	return schema
}
