package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoForms = `<!doctype html><html><head><meta charset="utf-8"><style>a>b{color:red}</style></head><body>
<h1>Hello <b>you</b> &amp; me</h1><h2>Not this</h2>
<input name="stray" value="1">
<form method="post" action="/a"><input type="hidden" name="h" value="1"><input name="text" value="x">
<input type="radio" name="who" value="anna" checked required><input type="radio" name="who" value="bob" required>
<button type="submit">Go</button></form>
<form method="post" action="/b"><input type="checkbox" name="account[]" value="one" checked><br>
<input type="checkbox" name="account[]" value="two" checked><input type="checkbox" name="account[]" value="three">
<button name="decision" value="approve">Yes</button><button name="decision" value="refuse">No</button></form>
</body></html>`

func TestReadPage(t *testing.T) {
	t.Parallel()
	p, err := readPage([]byte(twoForms))
	require.NoError(t, err)
	assert.Equal(t, "Hello you & me", p.heading)
	require.Len(t, p.forms, 2)

	t.Run("a form is sent with its values and the choice", func(t *testing.T) {
		f, err := p.pick("who", "bob")
		require.NoError(t, err)
		assert.Equal(t, "/a", f.action)
		assert.Equal(t, "h=1&text=x&who=bob", f.fields.Encode())
	})
	t.Run("a button sends its value and the ticked boxes", func(t *testing.T) {
		f, err := p.pick("decision", "approve")
		require.NoError(t, err)
		assert.Equal(t, "/b", f.action)
		assert.Equal(t, []string{"one", "two"}, f.fields["account[]"])
		assert.Equal(t, "approve", f.fields.Get("decision"))
	})
	t.Run("a choice that is not offered cannot be made", func(t *testing.T) {
		_, err := p.pick("who", "carol")
		assert.ErrorContains(t, err, `the page "Hello you & me" has no choice who=carol`)
	})
}

func TestReadPageFailsOnWhatIsNoPage(t *testing.T) {
	t.Parallel()
	_, err := readPage([]byte(`<form action="`))
	assert.Error(t, err)
}
