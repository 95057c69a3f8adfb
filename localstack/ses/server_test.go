package ses_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/ses"
	"aviso/localstack/template"
)

func TestFaults(t *testing.T) {
	fault := func(which ses.Fault) ses.Options {
		return ses.Options{
			ConfigurationSets: []template.ConfigurationSet{letters},
			Fault: func(m ses.Mail) ses.Fault {
				if m.Subject == "Kündigung" && m.Tags[0].Value == "c-1" {
					return which
				}
				return ses.None
			},
		}
	}

	t.Run("a throttled mail is not accepted", func(t *testing.T) {
		f := setUp(t, fault(ses.Throttled))
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		var throttled *types.TooManyRequestsException
		require.ErrorAs(t, err, &throttled)
		assert.Empty(t, f.published(t))
	})

	t.Run("the mail is delivered even if the response is cut off", func(t *testing.T) {
		f := setUp(t, fault(ses.Cut))
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Len(t, f.published(t), 2)
	})

	t.Run("an emulator that does not answer is reported", func(t *testing.T) {
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		f := setUp(t, ses.Options{Upstream: upstream(gone.URL), ConfigurationSets: []template.ConfigurationSet{letters}})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Empty(t, f.published(t))
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "SES does not answer at "+gone.URL+", so no mail is sent and no SES events arrive")
	})

	t.Run("an unexpected response is reported and passed on", func(t *testing.T) {
		odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "taken") }))
		defer odd.Close()
		f := setUp(t, ses.Options{Upstream: upstream(odd.URL), ConfigurationSets: []template.ConfigurationSet{letters}})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Empty(t, f.published(t))
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "unexpected response from SES")
	})

	t.Run("an emulator that does not start is reported", func(t *testing.T) {
		f := setUp(t, ses.Options{
			Upstream: func() (string, error) { return "", io.ErrUnexpectedEOF }, ConfigurationSets: []template.ConfigurationSet{letters},
		})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "SES does not start, so no mail is sent and no SES events arrive: unexpected EOF")
	})

	t.Run("an invalid address is reported", func(t *testing.T) {
		f := setUp(t, ses.Options{Upstream: upstream("http://[::1"), ConfigurationSets: []template.ConfigurationSet{letters}})
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		require.Len(t, f.told, 1)
		assert.Contains(t, f.told[0], "SES has no valid address, so no mail is sent")
	})
}

func TestTheInboxIsPassedThrough(t *testing.T) {
	f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
	id := f.send(t, simple("a@firm.example"))
	for path, want := range map[string]string{"/": "<html", "/store": id} {
		response, err := http.Get(f.url + path)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Contains(t, string(body), want)
	}
}
