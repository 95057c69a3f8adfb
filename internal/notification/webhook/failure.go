package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strings"

	"aviso/internal/notification"
)

// failure is an error whose outcome is known where it arises. Its cause may
// quote the receiver and is never shown.
type failure struct {
	outcome notification.Outcome
	detail  string
	cause   error
}

func failed(outcome notification.Outcome, detail string, cause error) *failure {
	return &failure{outcome: outcome, detail: detail, cause: cause}
}

func (f *failure) Error() string { return string(f.outcome) + ": " + f.detail }

func (f *failure) Unwrap() error { return f.cause }

// connectFailure says why there is no connection, for an error that is not of
// the TLS handshake, or else of it.
func connectFailure(ctx context.Context, err error) *failure {
	var refused *notification.AddressError
	var known *failure
	switch {
	case errors.As(err, &refused):
		return failed(notification.OutcomeAddressRefused, refused.Reason, err)
	case errors.As(err, &known) && known.outcome == notification.OutcomeDNSError && ctx.Err() == nil:
		return known // a resolver has time-outs of its own
	case timedOut(ctx, err):
		return failed(notification.OutcomeTimeout, "no connection could be made in time", err)
	case known != nil:
		return known
	default: // what dial gives back is known, and after it comes only TLS
		return failed(notification.OutcomeTLSError, tlsDetail(err), err)
	}
}

// answerFailure says why there is no answer on a connection.
func answerFailure(ctx context.Context, err error) *failure {
	switch {
	case timedOut(ctx, err):
		return failed(notification.OutcomeTimeout, "no answer came in time", err)
	case alert(err):
		return failed(notification.OutcomeTLSError, "the receiver ended the TLS connection with an alert", err)
	case headersTooLarge(err):
		return failed(notification.OutcomeResponseTooLarge, "the headers of the answer are larger than 16 KB", err)
	default:
		return failed(notification.OutcomeConnectionError, "the connection ended before an answer, or what came is not HTTP", err)
	}
}

// bodyFailure says why an answer is not whole.
func bodyFailure(ctx context.Context, err error) *failure {
	if timedOut(ctx, err) {
		return failed(notification.OutcomeTimeout, "the acknowledgement was not complete in time", err)
	}
	return failed(notification.OutcomeConnectionError, "the connection ended before the acknowledgement was complete", err)
}

// timedOut tells whether the time of the call is over. A connection can notice
// that a moment before the context does.
func timedOut(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}

// alert tells whether the receiver has sent a TLS alert. In TLS 1.3 that it
// wants a certificate of ours shows only after the handshake. crypto/tls gives
// the alert no type of its own outside QUIC.
func alert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// headersTooLarge knows the transport's error by its words, since it has no
// value; tests hold them.
func headersTooLarge(err error) bool {
	return strings.Contains(err.Error(), "server response headers exceeded")
}

func tlsDetail(err error) string {
	var (
		invalid   x509.CertificateInvalidError
		name      x509.HostnameError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not valid yet"
	case errors.As(err, &name):
		return "the certificate is for another host"
	case errors.As(err, &authority):
		return "the certificate is not from a known authority, or an intermediate one is not sent along"
	case errors.As(err, &invalid):
		return "the certificate is not valid"
	case errors.As(err, &record):
		return "the receiver does not speak TLS on this port"
	default:
		return "the TLS handshake failed; TLS 1.2 or 1.3 is needed"
	}
}
