package cancellationfn

import (
	"bytes"
	"crypto/x509"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation/seal"
)

func TestWarningBeforeACertificateEnds(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	logged := func(ends ...time.Time) string {
		var log bytes.Buffer
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
		defer slog.SetDefault(before)
		var key seal.Key
		for _, end := range ends {
			key.Certificates = append(key.Certificates, &x509.Certificate{NotAfter: end})
		}
		warnBeforeEnd("secret-1", key, now)
		return log.String()
	}
	assert.Empty(t, logged(), "a derived key")
	assert.Empty(t, logged(now.AddDate(0, 0, 31), now.AddDate(5, 0, 0)))
	line := logged(now.AddDate(2, 0, 0), now.AddDate(0, 0, 29))
	assert.Contains(t, line, `"level":"WARN","msg":"certificate expires","secret":"secret-1"`)
	assert.Contains(t, line, `"Certificate":"evidence","CertificateDaysLeft":29`)
}
