package snapshotdb

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/gob"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

// last is the last snapshot of documents that was written: that of two documents.
const last = "H4sIAAAAAAAA/0yOzU7CQBSF7512YATUmKjrrtwhie7cGUFjQtQIroyLkd6UxnammRkiuBF/nsBH8CF8AR9sDNQqq3vy3XNOThBC6D+fA0R+n+nRA/o5YAP5kKbOon8FDM67Fv074OalSaRKn6RLtapg80Q6SrSZVYBfyJxKubUa+MfhzXW/VPW+HsnsF/PTTCYWG4DrVedfBmDXvzBEcXtnnUlVslzWWuC3Ek9S5Q4PlkU1AP/h57hWL4yOJyPX0is7aqTIJLOdsXOFPep0MpkXtE9TmRcZbfeWz8bAGZ1HExVHZ9LyK/1IZqO/MEZ70eD7a6yoGVO724tiah8PARkIZCiQMYGMC2Q1gSwQyOqLC8hCAT8BAAD//wGI/exqAQAA"

func TestSnapshotsOfDocuments(t *testing.T) {
	t.Parallel()
	t.Run("are read", func(t *testing.T) {
		t.Parallel()
		encoded, err := base64.StdEncoding.DecodeString(last)
		require.NoError(t, err)
		index, err := indexOf(string(encoded))
		require.NoError(t, err)
		for _, query := range []string{"lampe power", "strom"} {
			page, err := index.Search(query, cancellation.SearchFilter{}, 10, "")
			require.NoError(t, err)
			assert.Equal(t, []cancellation.SearchDocument{{
				Kind: cancellation.SearchProduct, ID: "product", OrganizationID: "organization", CategoryID: "energy", Name: "Power",
				OrganizationName: "Lampe & Söhne", ExtraConsent: true, URL: "https://lampe.example",
				Locales: []cancellation.Locale{"de-DE", "de-AT"},
			}}, page.Products)
		}
	})
	t.Run("are read from before the search knew categories", func(t *testing.T) {
		t.Parallel()
		encoded, err := base64.StdEncoding.DecodeString("H4sIAAAAAAAA/0zOz0rDQBAG8JlNNlttUTzoOSdvtaA3b2IVhKCi9SQe1mRIg8lu2N1i48X65" +
			"+7b+AI+2Eoaiz3Nxw8+5gtCCP3Xa4DIH0udPqFfAG4gn9DcWfTvgMHF2KL/BNy+MrlUxYt0hVYr7J9KR7k2zQr4payoizvrhX8O726SLolEp7L8Y35e" +
			"ytziJgDs+TeG2Lt/sM4UKl/OGLT80fGsUO7ocNmKABq/wJ6ojc5mqRvotZ8RKTJ5szt1rrbHo1Epq5oOaC6ruiR+rZ/JbCWtxfvx7c/3VFE/o+H4LM5" +
			"oeDIBZCCQoUDGBLJQIOMCWSCQRe0F+A0AAP//WPlTGT0BAAA=")
		require.NoError(t, err)
		got, err := decodeSnapshot(string(encoded))
		require.NoError(t, err)
		require.Len(t, got, 2)
		assert.Equal(t, "Lampe & Söhne", got[0].OrganizationName)
		assert.Nil(t, got[0].CategoryNames)
	})
	t.Run("are refused if they are invalid", func(t *testing.T) {
		t.Parallel()
		packed := func(values ...any) string {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			stream := gob.NewEncoder(w)
			for _, v := range values {
				require.NoError(t, stream.Encode(v))
			}
			require.NoError(t, w.Close())
			return b.String()
		}
		column := []uint32{0}
		whole := packed(1, block{
			Texts: []string{""}, IDs: column, OrganizationIDs: column, CategoryIDs: column, Names: column,
			OrganizationNames: column, URLs: column, Locales: column, Flags: []byte{0},
		})
		_, err := indexOf(whole)
		require.NoError(t, err)
		for name, encoded := range map[string]string{
			"nothing": "", "no gzip": "rubbish", "half a snapshot": whole[:len(whole)/2], "something else": packed("text"),
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
