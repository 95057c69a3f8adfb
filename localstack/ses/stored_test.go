package ses_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
	"aviso/localstack/ses"
	"aviso/localstack/template"
)

// Each server here stands for one run of the stack: nothing stops the one before in an
// orderly way, and the emulator forgets its mail.
func TestMailOutlivesAKill(t *testing.T) {
	dir := t.TempDir()
	run := func(t *testing.T, o ses.Options) *fixture {
		t.Helper()
		p, err := emulator.StartSES(t.Context(), emulator.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.Stop()) })
		o.Dir, o.ConfigurationSets = dir, []template.ConfigurationSet{letters}
		if o.Upstream == nil {
			o.Upstream = upstream(p.URL)
		}
		return setUp(t, o)
	}
	inbox := func(t *testing.T, f *fixture) (subjects []string) {
		t.Helper()
		response, err := http.Get(f.url + "/store")
		require.NoError(t, err)
		defer response.Body.Close()
		var store struct{ Emails []struct{ Subject string } }
		require.NoError(t, json.NewDecoder(response.Body).Decode(&store))
		for _, m := range store.Emails {
			subjects = append(subjects, m.Subject)
		}
		return subjects
	}
	files := func(t *testing.T) []string {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		return list
	}

	first := run(t, ses.Options{Travel: time.Hour})
	id := first.send(t, simple("a@firm.example"))
	require.Empty(t, first.events, "killed before the first event")

	t.Run("its events come, with its message ID", func(t *testing.T) {
		f := run(t, ses.Options{})
		assert.Equal(t, []string{"Email Sent: a@firm.example", "Email Delivered: a@firm.example"}, f.published(t))
		assert.Contains(t, detailOf(t, f.events[0]), `"messageId":"`+id+`"`)
		assert.Len(t, inbox(t, f), 1)
	})
	t.Run("they come again if the functions may not have handled them", func(t *testing.T) {
		f := run(t, ses.Options{})
		assert.Len(t, f.published(t), 2)
		for _, e := range f.events {
			e.Handled()
		}
		require.Eventually(t, func() bool {
			raw, err := os.ReadFile(files(t)[0])
			return err == nil && done(t, raw)
		}, 5*time.Second, 5*time.Millisecond)
	})
	t.Run("they do not come again after that, but the inbox still has the mail", func(t *testing.T) {
		f := run(t, ses.Options{})
		assert.Empty(t, f.published(t))
		assert.Len(t, inbox(t, f), 1)
	})
	t.Run("a mail that the emulator was given, but had not answered, is sent and has events", func(t *testing.T) {
		raw, err := os.ReadFile(files(t)[0])
		require.NoError(t, err)
		var stored map[string]any
		require.NoError(t, json.Unmarshal(raw, &stored))
		stored["messageId"], stored["done"] = "", false
		raw, err = json.Marshal(stored)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "later.json"), raw, 0o600))
		f := run(t, ses.Options{})
		assert.Len(t, f.published(t), 2)
		assert.Len(t, inbox(t, f), 2)
		assert.NotContains(t, detailOf(t, f.events[0]), `"messageId":""`)
	})
	t.Run("a mail that the emulator refuses is not kept", func(t *testing.T) {
		refusing := httptest.NewServer(http.NotFoundHandler())
		defer refusing.Close()
		f := run(t, ses.Options{Upstream: upstream(refusing.URL)})
		before := len(files(t))
		_, err := f.client.SendEmail(t.Context(), simple("a@firm.example"))
		require.Error(t, err)
		assert.Len(t, files(t), before)
	})
}

func done(t *testing.T, raw []byte) bool {
	t.Helper()
	var stored struct{ Done bool }
	return json.Unmarshal(raw, &stored) == nil && stored.Done
}
