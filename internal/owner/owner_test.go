package owner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/owner"
)

func TestDigest(t *testing.T) {
	user := owner.User{Partner: "shop", ID: "0a1b"}
	assert.Len(t, user.Digest(), 16)
	assert.NotEqual(t, user.Digest(), owner.User{Partner: "bank", ID: user.ID}.Digest())
	assert.Empty(t, owner.User{Partner: "shop"}.Digest(), "a call for nobody")
}

func TestKey(t *testing.T) {
	user := owner.User{Partner: "shop", ID: "0a1b"}
	assert.Equal(t, "P#shop", user.Partner.Key())
	assert.Equal(t, "P#shop#U#0a1b", user.Key())

	t.Run("differs for the same user of another partner", func(t *testing.T) {
		assert.NotEqual(t, user.Key(), owner.User{Partner: "bank", ID: user.ID}.Key())
	})
}
