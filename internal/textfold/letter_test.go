package textfold_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/textfold"
)

func TestLetter(t *testing.T) {
	for _, letter := range "æœøßłđðþıς" {
		short, long := textfold.Letter(letter)
		assert.NotEmpty(t, short, string(letter))
		assert.GreaterOrEqual(t, len(long), len(short), string(letter))
		name := textfold.Name(string(letter))
		assert.Contains(t, []string{short, long}, name, "Name must use one of the two forms: %c", letter)
	}
	for _, letter := range "aäéÆñя1 " {
		short, long := textfold.Letter(letter)
		assert.Empty(t, short+long, string(letter))
	}
}
