package runtimeapi_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/runtimeapi"
)

// TestMain makes this test binary a function if it is started as one.
func TestMain(m *testing.M) {
	switch os.Getenv("AS") {
	case "function":
		lambda.Start(func(_ context.Context, in string) (string, error) {
			if in == "fail" {
				return "", errors.New("as asked")
			}
			return "hello " + in, nil
		})
	case "nothing":
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func start(t *testing.T, as string) (*runtimeapi.Function, error) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return runtimeapi.Start(t.Context(), []string{program}, map[string]string{"AS": as}, io.Discard)
}

func TestFunction(t *testing.T) {
	t.Parallel()
	f, err := start(t, "function")
	require.NoError(t, err)
	assert.Positive(t, f.Init)
	for _, who := range []string{"one", "two"} {
		answer, err := f.Invoke([]byte(`"` + who + `"`))
		require.NoError(t, err)
		assert.JSONEq(t, `"hello `+who+`"`, string(answer.Body))
		assert.Positive(t, answer.Took)
	}
	_, err = f.Invoke([]byte(`"fail"`))
	require.ErrorContains(t, err, "as asked")
	answer, err := f.Invoke([]byte(`"again"`))
	require.NoError(t, err, "a function keeps running after an error")
	assert.JSONEq(t, `"hello again"`, string(answer.Body))
	peak, err := f.PeakRSS()
	require.NoError(t, err)
	assert.Greater(t, peak, int64(1<<20))
	require.NoError(t, f.Stop())
	_, err = f.Invoke([]byte(`"late"`))
	require.Error(t, err)
}

func TestFunctionThatExitsAtStart(t *testing.T) {
	t.Parallel()
	_, err := start(t, "nothing")
	require.ErrorContains(t, err, "exit status 3")
}
