package evidence_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/evidence"
)

// Chains that partners keep are verified with these bytes: they never change.
func TestEntryIsCanonical(t *testing.T) {
	t.Parallel()
	at := evidence.Time{Time: time.Date(2026, 3, 2, 13, 0, 0, 5_999_999, time.FixedZone("CET", 3600))}
	first := evidence.Entry{
		At: at, Status: "Created",
		Fact: evidence.Fact{
			Actor: evidence.ActorPartner, Event: evidence.EventRequested,
			Proofs: []evidence.Proof{{Kind: evidence.ProofRequest, SHA256: new(evidence.Of([]byte("request")))}},
		},
	}
	text, err := evidence.Canonical(first)
	require.NoError(t, err)
	//nolint:testifylint // the bytes count
	assert.Equal(t, `{"actor":"partner","at":"2026-03-02T12:00:00.005Z","event":"Requested","proofs":[{"kind":"request",`+
		`"sha256":"1f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047"}],"status":"Created"}`, string(text))
	digest, err := first.Digest()
	require.NoError(t, err)
	second, err := evidence.Canonical(evidence.Entry{
		Previous: &digest, At: at,
		Fact: evidence.Fact{
			Actor: evidence.ActorCarrier, Event: evidence.EventUndelivered, Channel: "Fax", Reason: "<17>",
			Proofs: []evidence.Proof{{Kind: evidence.ProofReference, Value: "é"}},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, `{"actor":"carrier","at":"2026-03-02T12:00:00.005Z","channel":"Fax","event":"Undelivered",`+
		`"previous":"`+digest.String()+`","proofs":[{"kind":"reference","value":"é"}],"reason":"<17>"}`, string(second))
}

func TestDigestText(t *testing.T) {
	t.Parallel()
	want := evidence.Of([]byte("x"))
	assert.Equal(t, &want, evidence.Hex(want.String()))
	for _, text := range []string{"", "2d", "zz", want.String() + "00", want.String()[2:]} {
		assert.True(t, evidence.Hex(text).IsZero(), text)
		var d evidence.Digest
		if text != "" {
			require.Error(t, json.Unmarshal([]byte(`"`+text+`"`), &d), text)
		}
	}
}
