package stack

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTransactionsAreCommittedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		var failing error
		status := http.StatusOK
		client := (&tokens{}).client(smithyhttp.ClientDoFunc(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			assert.EqualValues(t, len(body), r.ContentLength)
			bodies = append(bodies, string(body))
			if failing != nil {
				return nil, failing
			}
			w := httptest.NewRecorder()
			w.Header().Set("X-Amzn-Errortype", "TransactionCanceledException")
			w.WriteHeader(status)
			_, _ = w.WriteString("an answer")
			return w.Result(), nil
		}))
		call := func(operation, body string) (string, error) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
			res, err := client.Do(r)
			if err != nil {
				return "", err
			}
			if status != http.StatusOK {
				assert.Equal(t, "TransactionCanceledException", res.Header.Get("X-Amzn-Errortype"))
			}
			text, err := io.ReadAll(res.Body)
			require.NoError(t, errors.Join(err, res.Body.Close()))
			return string(text), nil
		}
		commit := func(token string) (string, error) {
			return call("TransactWriteItems", `{"ClientRequestToken":"`+token+`","TransactItems":[]}`)
		}
		for range 2 {
			text, err := commit("a")
			require.NoError(t, err)
			assert.Equal(t, "an answer", text)
		}
		assert.Equal(t, []string{`{"TransactItems":[]}`}, bodies, "the emulator is called once, and without the token")

		failing = io.ErrUnexpectedEOF
		_, err := commit("b")
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		failing, status = nil, http.StatusBadRequest
		_, err = commit("b")
		require.NoError(t, err)
		_, err = commit("b")
		require.NoError(t, err)
		assert.Len(t, bodies, 4, "what was not committed is tried again")

		status = http.StatusOK
		time.Sleep(time.Minute)
		_, _ = commit("a")
		assert.Len(t, bodies, 5, "old tokens are forgotten")
		for range 2 {
			_, _ = call("PutItem", `{"Item":{}}`)
			_, _ = call("TransactWriteItems", `{"TransactItems":[]}`)
		}
		assert.Len(t, bodies, 9, "what has no token is passed on")
	})
}
