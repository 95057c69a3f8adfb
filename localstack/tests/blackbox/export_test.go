package blackbox_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type export struct {
	ExportID string
	Files    []struct{ Name, URL string }
}

func (a answer) export(t *testing.T) export {
	t.Helper()
	var out struct{ Data struct{ Export export } }
	a.decode(t, &out)
	return out.Data.Export
}

// download returns the files of an archive that a link leads to.
func download(t *testing.T, url string) (status int, files map[string]string) {
	t.Helper()
	res, err := http.Get(url)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	if res.StatusCode != http.StatusOK {
		return res.StatusCode, nil
	}
	assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	require.NoError(t, err)
	files = map[string]string{}
	for _, f := range z.File {
		content, err := z.Open(f.Name)
		require.NoError(t, err)
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		files[f.Name] = string(text)
	}
	return res.StatusCode, files
}

// A copy of all data is machine-readable and has what was observed, not only what the user entered (WP 242, page 10;
// GDPR, articles 15(3) and 20). It must not outlive its user (spree 14560), and has nobody else's data.
func TestExportHasWhatTheAPIAnswers(t *testing.T) {
	p := newPartner(t, "sandbox")
	p.connected(t, "lindenmark")
	other := anotherPartner(t, "sandbox")
	other.connected(t, "lindenmark")
	made := p.cancel(t, letterTo(p.productIn(t, "en-GB", "Nur E-Mail")))
	made = p.untilCancellation(t, made.CancellationID, stands("Delivered"))

	a := p.send(t, http.MethodPost, "/identity/v1/users/"+p.user+"/exports", nil)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	first := a.export(t)
	files := map[string]string{}
	for _, file := range first.Files {
		status, inside := download(t, file.URL)
		require.Equal(t, http.StatusOK, status, file.Name)
		maps.Copy(files, inside)
		assert.NotContains(t, file.URL, p.user)
	}
	require.Len(t, first.Files, 3)

	for file, path := range map[string]string{
		"user.jsonl": "/identity/v1/users/" + p.user, "terms-acceptances.jsonl": "/identity/v1/users/" + p.user + "/terms-acceptances",
		"connections.jsonl": "/openbanking/v1/connections", "accounts.jsonl": "/openbanking/v1/accounts",
		"transactions.jsonl": "/openbanking/v1/transactions", "contracts.jsonl": "/openbanking/v1/insights/subscriptions",
		"cancellations.jsonl": "/cancellations/v1/cancellations",
	} {
		want := p.everything(t, path)
		assert.NotEmpty(t, want, file)
		assert.Equal(t, strings.Join(want, "\n"), strings.TrimSpace(files[file]), file)
	}
	letter := p.send(t, http.MethodGet, "/cancellations/v1/cancellations/"+made.CancellationID+"/letter", nil)
	assert.Equal(t, string(letter.body), files["letters/"+made.CancellationID+".pdf"])
	for name, text := range files {
		assert.NotContains(t, text, other.user, name)
		assert.NotContains(t, text, "secret", name)
	}

	again := p.send(t, http.MethodGet, "/identity/v1/users/"+p.user+"/exports/"+first.ExportID, nil)
	require.Equal(t, http.StatusOK, again.status)
	for path, want := range map[string]int{
		"/identity/v1/users/" + other.user + "/exports/" + first.ExportID: http.StatusNotFound,
		"/identity/v1/users/" + p.user + "/exports/invented":              http.StatusNotFound,
	} {
		assert.Equal(t, want, p.send(t, http.MethodGet, path, nil).status, path)
	}
	link := first.Files[1].URL
	status, _ := download(t, link[:len(link)-4]+"AAAA")
	assert.Equal(t, http.StatusNotFound, status, "a guessed link")
	status, _ = download(t, strings.Replace(link, "ticket=", "ticket="+first.ExportID+"&old=", 1))
	assert.NotEqual(t, http.StatusOK, status, "an ID opens nothing")

	erased := p.send(t, http.MethodDelete, "/identity/v1/users/"+p.user, nil)
	require.Equal(t, http.StatusAccepted, erased.status)
	for _, file := range first.Files {
		status, _ := download(t, file.URL)
		assert.Equal(t, http.StatusNotFound, status, "%s outlives the user", file.Name)
	}
	assert.Equal(t, http.StatusNotFound, p.send(t, http.MethodGet, "/identity/v1/users/"+p.user+"/exports/"+first.ExportID, nil).status)
}

// A partner whose token has one scope gets the data of that scope only.
func TestExportFollowsTheScopes(t *testing.T) {
	p := newPartner(t, "sandbox")
	p.token = token(t, "sandbox", "identity")
	a := p.send(t, http.MethodPost, "/identity/v1/users/"+p.user+"/exports", nil)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	require.Len(t, a.export(t).Files, 1)
	assert.Equal(t, "user.zip", a.export(t).Files[0].Name)
}

// everything returns the elements of an answer, of all pages, as they are.
func (p partner) everything(t *testing.T, path string) (all []string) {
	t.Helper()
	for next := ""; ; {
		var out struct {
			Data map[string]json.RawMessage
			Meta struct{ Pagination struct{ NextToken string } }
		}
		a := p.send(t, http.MethodGet, path+"?limit=200&nextToken="+next, nil)
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		a.decode(t, &out)
		for _, member := range out.Data {
			rows := []json.RawMessage{member}
			if member[0] == '[' {
				require.NoError(t, json.Unmarshal(member, &rows))
			}
			for _, row := range rows {
				all = append(all, string(row))
			}
		}
		if next = out.Meta.Pagination.NextToken; next == "" {
			return all
		}
	}
}
