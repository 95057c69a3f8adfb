package eventfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnAWS replaces the AWS CLI.
func TestOnAWS(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cli := func(script string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "aws"), []byte("#!/bin/sh\n"+script), 0o700))
	}
	// The last two words are the payload and the file for the answer.
	cli(`[ "$AWS_MAX_ATTEMPTS $1 $2 $4" = "1 lambda invoke acme-operator" ] || exit 3
while [ $# -gt 2 ]; do shift; done
cp "${1#file://}" "$2"
echo '{"StatusCode": 200}'`)
	answer, err := onAWS("acme-operator")(t.Context(), []byte(`{"command":"show-partner"}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"command":"show-partner"}`, string(answer))

	cli(`while [ $# -gt 1 ]; do shift; done
echo '{"errorMessage":"operator: There is no partner with this ID."}' > "$1"
echo '{"StatusCode": 200, "FunctionError": "Unhandled"}'`)
	_, err = onAWS("acme-operator")(t.Context(), []byte(`{}`))
	assert.EqualError(t, err, "operator: There is no partner with this ID.")

	cli(`exit 254`)
	_, err = onAWS("acme-operator")(t.Context(), []byte(`{}`))
	assert.EqualError(t, err, "aws lambda invoke: exit status 254")
}
