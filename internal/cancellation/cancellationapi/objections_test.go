package cancellationapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/localstack/tests/cancellationtest"
)

// debited cancels, hands the letter over, and then a debit comes.
func debited(t *testing.T, s *service) string {
	t.Helper()
	id, _ := s.post("", body("streaming")).Member("data", "cancellation", "cancellationId").(string)
	report(t, s, id)
	require.NoError(t, (&dispatch.Feedback{Store: s.store, Now: s.clock.Now}).ReportOutcome(t.Context(), cancellationtest.User(), id,
		&cancellation.OutcomeReport{
			Number: 1, Outcome: cancellation.OutcomeStillDebited, Reason: "DebitAfterEnd", End: "2026-03-31",
			Debits: []cancellation.Debit{{
				TransactionID: "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41", Date: "2026-04-04", Amount: "-13.90", Currency: "EUR",
			}},
		}))
	return id
}

func TestObjections(t *testing.T) {
	s := newService(t)
	stamp, root := authority(t)
	s.authority = stamp
	id := debited(t, s)
	path := "/" + id + "/objections"
	needs := map[string]any{"parameters": body("streaming")["parameters"], "signature": body("streaming")["signature"]}

	for _, preview := range []string{"/" + id + "/objection", path + "?dryRun=true"} {
		a := s.post(preview, with(needs, map[string]any{"replyTo": "other@example.org"}))
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Equal(t, "Email", a.Member("data", "letter", "channel"))
		assert.Equal(t, "anna@example.org", a.Member("data", "letter", "replyTo"), "the template's comes first")
	}
	assert.Equal(t, []any{}, s.read("/cancellations"+path).Member("data", "objections"))
	a := s.post(path, with(needs, map[string]any{"channel": "Fax"}))
	assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode)
	assert.Contains(t, a.Body, "/channel")

	a = s.post(path, needs, "Idempotency-Key", "key")
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	objection, _ := a.Member("data", "objection").(map[string]any)
	sent, _ := objection["objectionId"].(string)
	assert.Equal(t, id, objection["cancellationId"])
	assert.Equal(t, "Created", objection["status"])
	assert.Contains(t, a.Body, `"amount":-13.9,`)
	assert.Equal(t, a.Body, s.post(path, needs, "Idempotency-Key", "key").Body, "the same answer")
	again := s.post(path, needs)
	assert.Equal(t, http.StatusConflict, again.StatusCode)
	assert.Equal(t, "conflict", again.Member("code"))
	assert.Equal(t, sent, again.Member("objectionId"))

	report(t, s, sent)
	list := s.read("/cancellations" + path)
	assert.Equal(t, []string{sent}, list.Each("objections", "objectionId"))
	assert.Equal(t, []string{"Delivered"}, list.Each("objections", "status"))
	assert.Equal(t, http.StatusNotFound, s.read("/cancellations/"+sent).StatusCode)
	assert.Equal(t, http.StatusOK, s.read("/cancellations/"+sent+"/letter").StatusCode)

	got := members(t, s.evidence(sent))
	document := evidence.Document{}
	require.NoError(t, json.Unmarshal([]byte(got[evidence.DocumentFile]), &document))
	assert.Equal(t, id, document.Cancellation.ID)
	assert.Equal(t, sent, document.Cancellation.ObjectionID)
	var files []string
	for _, f := range document.Files {
		assert.Equal(t, evidence.Of([]byte(got[f.Name])), f.SHA256)
		files = append(files, f.Name)
	}
	assert.Equal(t, []string{
		evidence.LetterFile, evidence.EnclosureFile, evidence.JoinedFile, "carrier/04-Email-Delivered.json", evidence.SummaryFile,
	}, files)
	assert.Equal(t, members(t, s.evidence(id))[evidence.SummaryFile], got[evidence.EnclosureFile], "that of the cancellation")
	assert.Equal(t, objection["enclosureSha256"], evidence.Of([]byte(got[evidence.EnclosureFile])).String())
	opensslVerifies(t, got, root)
}
