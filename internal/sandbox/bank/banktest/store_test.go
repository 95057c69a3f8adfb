package banktest_test

import (
	"testing"
	"time"

	"aviso/internal/sandbox/bank/banktest"
)

func TestStoreInMemory(t *testing.T) {
	banktest.Contract(t, &banktest.Store{}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
}
