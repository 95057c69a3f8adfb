package snapshotdb

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/gob"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation"
)

func TestSnapshotCode(t *testing.T) {
	t.Parallel()
	t.Run("round-trips any document with stable bytes", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.String()
			want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cancellation.SearchDocument {
				return cancellation.SearchDocument{
					Kind: rapid.SampledFrom([]cancellation.SearchKind{cancellation.SearchOrganization, cancellation.SearchProduct}).Draw(
						t,
						"kind",
					),
					ID:             text.Draw(t, "id"),
					OrganizationID: text.Draw(t, "organization"),
					CategoryID:     text.Draw(t, "category"),
					CategoryNames:  rapid.SampledFrom([][]string{nil, {"Energy"}, {"Energie", "Strom und Gas"}}).Draw(t, "category names"),
					Name: text.Draw(
						t,
						"name",
					),
					OrganizationName: text.Draw(t, "organization name"),
					ExtraConsent:     rapid.Bool().Draw(t, "consent"),
					URL: text.Draw(
						t,
						"url",
					),
					Locales: rapid.SampledFrom([][]cancellation.Locale{nil, {"de-DE"}, {"de-DE", "fr-CH"}}).Draw(t, "locales"),
				}
			}), 0, 5).Draw(t, "documents")
			encoded, err := encodeSnapshot(want)
			require.NoError(t, err)
			again, err := encodeSnapshot(want)
			require.NoError(t, err)
			require.Equal(t, encoded, again)
			got, err := decodeSnapshot(encoded)
			require.NoError(t, err)
			require.Len(t, got, len(want))
			for i := range want {
				require.Equal(t, want[i], got[i])
			}
		})
	})
	t.Run("reads a snapshot from before the search knew categories", func(t *testing.T) {
		t.Parallel()
		encoded, err := base64.StdEncoding.DecodeString("H4sIAAAAAAAA/0zOz0rDQBAG8JlNNlttUTzoOSdvtaA3b2IVhKCi9SQe1mRIg8lu2N1i48X65" +
			"+7b+AI+2Eoaiz3Nxw8+5gtCCP3Xa4DIH0udPqFfAG4gn9DcWfTvgMHF2KL/BNy+MrlUxYt0hVYr7J9KR7k2zQr4payoizvrhX8O726SLolEp7L8Y35e" +
			"ytziJgDs+TeG2Lt/sM4UKl/OGLT80fGsUO7ocNmKABq/wJ6ojc5mqRvotZ8RKTJ5szt1rrbHo1Epq5oOaC6ruiR+rZ/JbCWtxfvx7c/3VFE/o+H4LM5" +
			"oeDIBZCCQoUDGBLJQIOMCWSCQRe0F+A0AAP//WPlTGT0BAAA=")
		require.NoError(t, err)
		got, err := decodeSnapshot(encoded)
		require.NoError(t, err)
		require.Len(t, got, 2)
		assert.Equal(t, "Lampe & Söhne", got[0].OrganizationName)
		assert.Nil(t, got[0].CategoryNames)
	})
	t.Run("refuses invalid snapshots", func(t *testing.T) {
		t.Parallel()
		packed := func(values ...any) []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			stream := gob.NewEncoder(w)
			for _, v := range values {
				require.NoError(t, stream.Encode(v))
			}
			require.NoError(t, w.Close())
			return b.Bytes()
		}
		whole, err := encodeSnapshot([]cancellation.SearchDocument{{ID: "a"}})
		require.NoError(t, err)
		for name, encoded := range map[string][]byte{
			"nothing": nil, "no gzip": []byte("rubbish"), "half a snapshot": whole[:len(whole)/2], "something else": packed("text"),
			"fewer documents than announced": packed(1), "an endless number": packed(1 << 40), "a negative number": packed(-1), "an empty block": packed(1, block{}),
			"columns of different lengths": packed(1, block{Texts: []string{""}, IDs: []uint32{0}, Flags: []byte{0}}),
			"too few category names": packed(1, block{
				Texts: []string{""}, IDs: []uint32{0, 0}, OrganizationIDs: []uint32{0, 0}, CategoryIDs: []uint32{0, 0},
				Names: []uint32{0, 0}, OrganizationNames: []uint32{0, 0}, URLs: []uint32{0, 0}, Locales: []uint32{0, 0},
				Flags: []byte{0, 0}, CategoryNames: []uint32{0},
			}),
			"a text that is missing": packed(1, block{
				Texts: []string{""}, IDs: []uint32{1}, OrganizationIDs: []uint32{0}, CategoryIDs: []uint32{0}, Names: []uint32{0},
				OrganizationNames: []uint32{0}, URLs: []uint32{0}, Locales: []uint32{0}, Flags: []byte{0},
			}),
		} {
			_, err := decodeSnapshot(encoded)
			assert.Error(t, err, name)
		}
	})
}
