package bootstrap

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named is a handler that returns its name.
type named string

func (n named) Invoke(context.Context, []byte) ([]byte, error) { return []byte(n), nil }

func TestFunctionForGatewayAndQueue(t *testing.T) {
	h := Either{Requests: named("requests"), Messages: named("messages")}
	for _, test := range []struct {
		event any
		want  string
	}{
		{events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: "/sandbox/letters", Body: `{"Records":[]}`}, "requests"},
		{events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m"}}}, "messages"},
		{events.SQSEvent{Records: []events.SQSMessage{}}, "messages"},
		{"neither", "requests"},
	} {
		payload, err := json.Marshal(test.event)
		require.NoError(t, err)
		got, err := h.Invoke(t.Context(), payload)
		require.NoError(t, err)
		assert.Equal(t, test.want, string(got))
	}
}
