package stack

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/localstack/template"
)

func TestAnInvalidAddressOfSESIsAnError(t *testing.T) {
	t.Parallel()
	b := &backends{endpoints: endpoints{ses: "http://[::1"}}
	err := b.serveMail(t.Context(), t.TempDir(), &template.Template{}, nil)
	assert.ErrorContains(t, err, "address of SES")
}
