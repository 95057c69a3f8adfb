package request_test

import (
	"testing"

	"aviso/localstack/tests/lettertest"
)

type world struct{ *lettertest.World }

func newWorld(t *testing.T) *world { return &world{lettertest.NewWorld(t)} }
