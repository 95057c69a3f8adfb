package cancellationapi_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/seal"
	"aviso/internal/sandbox"
	"aviso/localstack/tests/cancellationtest"
)

// authority starts the sandbox's time-stamp authority.
func authority(t *testing.T) (stamp func(context.Context, []byte) ([]byte, error), root []byte) {
	t.Helper()
	server := httptest.NewServer(sandbox.TimestampHandler(time.Now))
	t.Cleanup(server.Close)
	a := sandbox.NewTimestamps(time.Now)
	stamp = func(ctx context.Context, content []byte) ([]byte, error) { return seal.Stamp(ctx, server.URL, content) }
	return stamp, a.Root()
}

// members returns the archive's files.
func members(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	all := map[string]string{}
	for _, f := range r.File {
		m, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(m)
		require.NoError(t, err)
		all[f.Name] = string(content)
	}
	return all
}

func (s *service) evidence(id string) []byte {
	s.Helper()
	a := s.read("/cancellations/" + id + "/evidence")
	require.Equal(s, http.StatusOK, a.StatusCode, a.Body)
	assert.Equal(s, "application/zip", a.Headers["Content-Type"])
	assert.Equal(s, `attachment; filename="evidence-`+id+`.zip"`, a.Headers["Content-Disposition"])
	return []byte(a.Body)
}

func TestEvidence(t *testing.T) {
	s := newService(t)
	a := s.post("", with(body("streaming"), map[string]any{"endDate": "2026-06-30"}))
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	id, _ := a.Member("data", "cancellation", "cancellationId").(string)
	stamp, root := authority(t)

	s.authority = func(context.Context, []byte) ([]byte, error) { return nil, errors.New("away") }
	pending := s.evidence(id)
	got := members(t, pending)
	assert.Equal(t, evidence.PendingText, got[evidence.PendingFile], "the authority is down")
	assert.NotContains(t, got, evidence.StampFile)
	assert.Equal(t, pending, s.evidence(id), "the same bytes")

	s.authority = stamp
	archive := s.evidence(id)
	stamped := members(t, archive)
	assert.NotContains(t, stamped, evidence.PendingFile)
	assert.Equal(t, got[evidence.SignatureFile], stamped[evidence.SignatureFile], "it was completed")
	s.authority = func(context.Context, []byte) ([]byte, error) { panic("stamped once") }
	assert.Equal(t, archive, s.evidence(id), "the same bytes")
	opensslVerifies(t, stamped, root)

	s.authority = stamp
	report(t, s, id)
	later := s.evidence(id)
	after := members(t, later)
	keepFixtures(t, map[string][]byte{"created.zip": archive, "delivered.zip": later, "root.pem": root})
	assert.NotEqual(t, stamped[evidence.DocumentFile], after[evidence.DocumentFile])
	document := evidence.Document{}
	require.NoError(t, json.Unmarshal([]byte(after[evidence.DocumentFile]), &document))
	assert.Equal(t, "2026-06-30", document.Cancellation.EndDate)
	name := "carrier/04-Email-Delivered.json"
	assert.JSONEq(t, `{"eventType":"Delivery"}`, after[name])
	var named []string
	for _, f := range document.Files {
		assert.Equal(t, evidence.Of([]byte(after[f.Name])), f.SHA256)
		named = append(named, f.Name)
	}
	assert.Equal(t, []string{evidence.LetterFile, name, evidence.SummaryFile}, named)
	assert.NotEqual(t, stamped[evidence.SummaryFile], after[evidence.SummaryFile], "it has the new step")
	assert.True(t, slices.ContainsFunc(document.Entries, func(e evidence.Entry) bool {
		return e.Event == evidence.EventDelivered && e.Actor == evidence.ActorCarrier
	}))
	opensslVerifies(t, after, root)

	assert.Equal(t, "not_found", s.read("/cancellations/"+uuid.NewString()+"/evidence").Member("code"))
}

// keepFixtures writes the archives that clients/cli verifies, if EVIDENCE_FIXTURES names its
// folder. Archives of earlier releases stay valid, so they are not written often.
func keepFixtures(t *testing.T, files map[string][]byte) {
	t.Helper()
	dir := os.Getenv("EVIDENCE_FIXTURES")
	if dir == "" {
		return
	}
	key, err := seal.DeriveKey(evidenceRoot)
	require.NoError(t, err)
	files["jwks.json"], err = json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}})
	require.NoError(t, err)
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
}

// report lets SES deliver the letter, after what it reports before.
func report(t *testing.T, s *service, id string, before ...dispatch.Report) {
	t.Helper()
	c, err := s.store.Cancellation(t.Context(), cancellationtest.User(), id)
	require.NoError(t, err)
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{cancellation.ChannelEmail: &cancellationtest.Carrier{}}
	dispatcher := &dispatch.Dispatcher{Store: s.store, Carriers: carriers, Now: s.clock.Now, NewID: uuid.NewString}
	require.NoError(t, dispatcher.Send(t.Context(), c.Owner, id))
	c, err = s.store.Cancellation(t.Context(), c.Owner, id)
	require.NoError(t, err)
	for _, r := range append(before, dispatch.Report{
		State: dispatch.ReportDelivered, Received: evidence.Received{Body: []byte(`{"eventType":"Delivery"}`)},
	}) {
		r.CancellationID, r.ShipmentID, r.Channel = id, c.Delivery.ShipmentID, cancellation.ChannelEmail
		r.Reference = c.Delivery.Reference
		require.NoError(t, (&dispatch.Feedback{Store: s.store, Now: s.clock.Now}).Report(t.Context(), r))
	}
}

// opensslVerifies checks the time stamp with a program that is not ours.
func opensslVerifies(t *testing.T, files map[string]string, root []byte) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"evidence.jws": files[evidence.SignatureFile], "evidence.tsr": files[evidence.StampFile], "root.pem": string(root),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	verify := exec.CommandContext(t.Context(), "openssl", "ts", "-verify", "-data", "evidence.jws", "-in", "evidence.tsr",
		"-CAfile", "root.pem")
	verify.Dir = dir
	out, err := verify.CombinedOutput()
	require.NoError(t, err, string(out))
}
