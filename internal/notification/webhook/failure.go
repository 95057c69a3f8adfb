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

// failure is an error with a known outcome. Its cause may quote the receiver, so it is never shown.
type failure struct {
	outcome notification.Outcome
	detail  string
	cause   error
}

// result returns the result of a failed call. status is 0 if there was no response.
func (f *failure) result(status int) notification.Result {
	return notification.Result{Outcome: f.outcome, HTTPStatus: status, Detail: f.detail}
}

func (f *failure) Error() string { return string(f.outcome) + ": " + f.detail }

func (f *failure) Unwrap() error { return f.cause }

// connectFailure returns why there is no connection: a failure before the TLS
// handshake, or of the handshake itself.
func connectFailure(ctx context.Context, err error) *failure {
	var refused *notification.AddressError
	var known *failure
	switch {
	case errors.As(err, &refused):
		return &failure{notification.OutcomeAddressRefused, refused.Reason, err}
	case errors.As(err, &known) && known.outcome == notification.OutcomeDNSError && ctx.Err() == nil:
		return known // a resolver has its own timeouts
	case timedOut(ctx, err):
		return &failure{notification.OutcomeTimeout, "timed out before a connection was made", err}
	case known != nil:
		return known
	default: // dial returns only known errors, so this comes from TLS
		return &failure{notification.OutcomeTLSError, tlsDetail(err), err}
	}
}

// responseFailure returns why there is no response on a connection.
func responseFailure(ctx context.Context, err error) *failure {
	switch {
	case timedOut(ctx, err):
		return &failure{notification.OutcomeTimeout, "timed out before a response came", err}
	case alert(err):
		return &failure{notification.OutcomeTLSError, "the receiver closed the TLS connection with an alert", err}
	case headersTooLarge(err):
		return &failure{notification.OutcomeResponseTooLarge, "the response headers are larger than 16 KB", err}
	default:
		return &failure{
			notification.OutcomeConnectionError,
			"the connection closed before a response came, or the response is not HTTP", err,
		}
	}
}

// bodyFailure returns why a response is incomplete.
func bodyFailure(ctx context.Context, err error) *failure {
	if timedOut(ctx, err) {
		return &failure{notification.OutcomeTimeout, "timed out before the acknowledgement was complete", err}
	}
	return &failure{
		notification.OutcomeConnectionError, "the connection closed before the acknowledgement was complete", err,
	}
}

// timedOut reports whether the call has timed out. A connection may notice this
// slightly before the context does.
func timedOut(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}

// alert reports whether the receiver has sent a TLS alert. In TLS 1.3 a receiver that
// requires a client certificate shows it only after the handshake. Outside QUIC,
// crypto/tls has no exported type for an alert from the peer.
func alert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// headersTooLarge recognises the transport's error by its text, because it has no
// error value. A test checks the text.
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
		return "the certificate is not from a known authority, or an intermediate certificate is missing"
	case errors.As(err, &invalid):
		return "the certificate is not valid"
	case errors.As(err, &record):
		return "the receiver does not speak TLS on this port"
	default:
		return "the TLS handshake failed; TLS 1.2 or 1.3 is required"
	}
}
