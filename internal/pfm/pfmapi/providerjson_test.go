package pfmapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestProvidersMarshalLikeEncodingJSON(t *testing.T) {
	t.Parallel()
	// It draws every field, so that the test covers new fields, too.
	one := rapid.Make[wireProvider]()
	rapid.Check(t, func(t *rapid.T) {
		d := providersData{Providers: append([]wireProvider{}, rapid.SliceOfN(one, 0, 3).Draw(t, "rows")...)}
		for i := range d.Providers {
			p := &d.Providers[i]
			p.Name += rapid.SampledFrom([]string{"", "\u2028<>&\"\\\n"}).Draw(t, "odd")
			p.SupportedAccountTypes = append([]string{}, p.SupportedAccountTypes...) // toProvider returns no nil slice
			if p.Meta == nil {
				p.Meta = map[string]string{}
			}
		}
		want, err := json.Marshal(d)
		require.NoError(t, err)
		got := string(d.AppendJSON(nil))
		assert.JSONEq(t, string(want), got)
		// The same members, each once.
		assert.Equal(t, strings.Count(string(want), `":`), strings.Count(got, `":`))
	})
}
