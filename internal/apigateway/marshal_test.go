package apigateway

import (
	"encoding/base64"
	"encoding/json"
	"strings"
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
		long := rapid.Custom(func(t *rapid.T) string { return strings.Repeat(text.Draw(t, "part")+"\"é", largeBody/3) })
		want := events.APIGatewayV2HTTPResponse{
			StatusCode: 200, Headers: map[string]string{"a": text.Draw(t, "header")}, Body: rapid.OneOf(text, long).Draw(t, "body"),
			IsBase64Encoded: rapid.Bool().Draw(t, "base64"), Cookies: []string{text.Draw(t, "cookie")},
		}
		written, err := marshal(want)
		require.NoError(t, err)
		var got events.APIGatewayV2HTTPResponse
		require.NoError(t, json.Unmarshal(written, &got))
		if len(want.Body) >= largeBody && !want.IsBase64Encoded {
			require.True(t, got.IsBase64Encoded)
			body, err := base64.StdEncoding.DecodeString(got.Body)
			require.NoError(t, err)
			got.Body, got.IsBase64Encoded = string(body), false
		}
		assert.Equal(t, want, got)
	})
}
