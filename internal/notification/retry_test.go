package notification_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
)

func TestRetryDelays(t *testing.T) {
	delays, err := notification.ParseRetryDelays(notification.RetryDelays)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{15 * time.Minute, time.Hour}, delays)
	delays, err = notification.ParseRetryDelays("1s, 2s,3s")
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, delays)
	for _, text := range []string{"", "15", "15m,", "0s", "-1s", "15m;60m"} {
		_, err := notification.ParseRetryDelays(text)
		assert.Error(t, err, text)
	}
}
