package notificationtest_test

import (
	"testing"

	"aviso/internal/notification/notificationtest"
)

func TestStore(t *testing.T) { notificationtest.Contract(t, notificationtest.NewStore()) }
