package persona_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/persona"
)

func TestExtraRows(t *testing.T) {
	branch := persona.Branch{Bank: "lindenmark", Country: "DE", Currency: "EUR", Language: "de"}
	today := persona.Epoch + 400
	for _, p := range persona.All() {
		for key, st := range p.Statements(branch, today) {
			ids := map[uint64]bool{}
			for _, e := range append(append(st.Booked, st.Pending...), st.Released...) {
				ids[e.Identity] = true
			}
			for number := range 20 {
				e, ok := p.Extra(branch, key, today, number)
				require.True(t, ok)
				again, _ := p.Extra(branch, key, today, number)
				assert.Equal(t, e, again)
				assert.False(t, ids[e.Identity], "each row is new")
				ids[e.Identity] = true
				assert.Equal(t, today, e.Entered)
				assert.Greater(t, e.Booked, today, "pending at first")
				assert.NotZero(t, e.Amount)
				assert.NotEmpty(t, e.Text)
			}
		}
	}
	_, ok := persona.All()[0].Extra(branch, "dollars", today, 0)
	assert.False(t, ok)
}
