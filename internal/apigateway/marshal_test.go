package apigateway

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
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
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"\\/<>,:{}\n\t\x00-\x1f\x7f€😀]{0,40}`), rapid.Just("\xff"))
		long := rapid.Custom(func(t *rapid.T) string { return strings.Repeat(text.Draw(t, "part")+"\"é", largeBody/3) })
		body := rapid.OneOf(text, long).Draw(t, "body")
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		cookies := rapid.SliceOfN(text, 0, 3).Draw(t, "cookies")
		header := http.Header{"A": {text.Draw(t, "header")}, "B": {"1", "2"}, "Set-Cookie": cookies}
		res := response{header: header, status: 418, body: []byte(body)}
		var got events.APIGatewayV2HTTPResponse
		require.NoError(t, json.Unmarshal(res.marshal(), &got))
		assert.Equal(t, 418, got.StatusCode)
		assert.Equal(t, map[string]string{"A": valid(header.Get("A")), "B": "1,2"}, got.Headers)
		require.Len(t, got.Cookies, len(cookies))
		for i, cookie := range cookies {
			assert.Equal(t, valid(cookie), got.Cookies[i])
		}
		if got.IsBase64Encoded {
			decoded, err := base64.StdEncoding.DecodeString(got.Body)
			require.NoError(t, err)
			got.Body = string(decoded)
		}
		assert.Equal(t, body, got.Body)
	})
}
