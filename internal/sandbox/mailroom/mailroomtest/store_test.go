package mailroomtest_test

import (
	"testing"

	"aviso/internal/sandbox/mailroom/mailroomtest"
)

// The fake keeps the same contract as the real store.
func TestStore(t *testing.T) {
	mailroomtest.Contract(t, &mailroomtest.Store{}, mailroomtest.Noon())
}
