package carrier

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

func TestEmailFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		status  int
		code    string
		message string
		want    cancellation.CarrierFailure
	}{
		"throttled":                   {429, "TooManyRequestsException", "", cancellation.CarrierBusy},
		"throttled with another code": {400, "ThrottlingException", "", cancellation.CarrierBusy},
		"over the quota":              {400, "LimitExceededException", "", cancellation.CarrierBusy},
		"account suspended":           {400, "AccountSuspendedException", "", cancellation.CarrierBusy},
		"sending paused":              {400, "SendingPausedException", "", cancellation.CarrierBusy},
		"domain not verified":         {400, "MailFromDomainNotVerifiedException", "", cancellation.CarrierBusy},
		"unknown configuration set":   {404, "NotFoundException", "", cancellation.CarrierBusy},
		"not allowed":                 {403, "AccessDeniedException", "", cancellation.CarrierBusy},
		"credentials expired":         {403, "ExpiredTokenException", "", cancellation.CarrierBusy},
		"identity not verified": {
			400, "MessageRejected",
			"Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: erika@example.com",
			cancellation.CarrierBusy,
		},
		"message rejected":   {400, "MessageRejected", "Transaction failed: Erika Mustermann", cancellation.CarrierRefused},
		"bad request":        {400, "BadRequestException", "Erika", cancellation.CarrierRefused},
		"server fault":       {500, "InternalServiceErrorException", "", cancellation.CarrierUnclear},
		"server unavailable": {503, "ServiceUnavailable", "", cancellation.CarrierUnclear},
		"gateway timeout":    {504, "", "", cancellation.CarrierUnclear},
		"fault as a 500":     {500, "BadRequestException", "", cancellation.CarrierUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSES(t)
			body, err := json.Marshal(map[string]string{"message": tt.message})
			require.NoError(t, err)
			s.instead = func(int, *http.Request) *reply {
				return &reply{status: tt.status, header: map[string]string{"X-Amzn-Errortype": tt.code}, body: string(body)}
			}
			calls := loggedCalls(t)
			_, err = emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())

			failure := requireFailure(t, err, tt.want)
			if tt.code != "" {
				assert.Equal(t, tt.code, failure.Reason)
			}
			assert.Equal(t, 1, s.calls, "the SDK must not try again")
			assert.Equal(t, []loggedCall{{Operation: "send e-mail", Status: tt.status}}, calls())
		})
	}

	t.Run("a response without a message ID", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: `{}`} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
	})
	t.Run("a broken response", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: `{"Erika`} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("no response", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{hangUp: true} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("connection refused", func(t *testing.T) {
		s := newSES(t)
		s.url = "http://" + closedPort(t)
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		assert.ErrorIs(t, requireFailure(t, err, cancellation.CarrierBusy), errNoConnection)
	})
	t.Run("timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			hanging := sender(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
			_, err := emailCarrier(t, hanging, newClock().now).Send(t.Context(), emailShipment())
			assert.ErrorIs(t, requireFailure(t, err, cancellation.CarrierUnclear), context.DeadlineExceeded)
		})
	})
	t.Run("any other error is unclear and not quoted", func(t *testing.T) {
		broken := sender(func(context.Context) error { return errors.New("Erika Mustermann") })
		_, err := emailCarrier(t, broken, newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, cancellation.CarrierUnclear)
	})
}

type sender func(ctx context.Context) error

func (f sender) SendEmail(ctx context.Context, _, _ string, _ []byte, _ map[string]string) (string, error) {
	return "", f(ctx)
}

func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}
