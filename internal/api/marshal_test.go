package api

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnswersAreWrittenAsTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"\\/<>,:{}\n\t\x00-\x1f\x7f€😀]{0,40}`), rapid.Just(`,"body":""`))
		want := events.APIGatewayV2HTTPResponse{
			StatusCode: 200, Headers: map[string]string{"a": text.Draw(t, "header")}, Body: text.Draw(t, "body"),
			IsBase64Encoded: rapid.Bool().Draw(t, "base64"), Cookies: []string{text.Draw(t, "cookie")},
		}
		written, err := marshal(want)
		require.NoError(t, err)
		var got events.APIGatewayV2HTTPResponse
		require.NoError(t, json.Unmarshal(written, &got))
		assert.Equal(t, want, got)
	})
}
