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

	"aviso/internal/cancellation/dispatch"
)

func TestEmailFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		status  int
		code    string
		message string
		want    dispatch.CarrierFailure
	}{
		"throttled":                   {429, "TooManyRequestsException", "", dispatch.CarrierBusy},
		"throttled with another code": {400, "ThrottlingException", "", dispatch.CarrierBusy},
		"over the quota":              {400, "LimitExceededException", "", dispatch.CarrierBusy},
		"account suspended":           {400, "AccountSuspendedException", "", dispatch.CarrierBusy},
		"sending paused":              {400, "SendingPausedException", "", dispatch.CarrierBusy},
		"domain not verified":         {400, "MailFromDomainNotVerifiedException", "", dispatch.CarrierBusy},
		"unknown configuration set":   {404, "NotFoundException", "", dispatch.CarrierBusy},
		"not allowed":                 {403, "AccessDeniedException", "", dispatch.CarrierBusy},
		"credentials expired":         {403, "ExpiredTokenException", "", dispatch.CarrierBusy},
		"identity not verified": {
			400, "MessageRejected",
			"Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: erika@example.com",
			dispatch.CarrierBusy,
		},
		"message rejected":   {400, "MessageRejected", "Transaction failed: Erika Mustermann", dispatch.CarrierRefused},
		"bad request":        {400, "BadRequestException", "Erika", dispatch.CarrierRefused},
		"server fault":       {500, "InternalServiceErrorException", "", dispatch.CarrierUnclear},
		"server unavailable": {503, "ServiceUnavailable", "", dispatch.CarrierUnclear},
		"gateway timeout":    {504, "", "", dispatch.CarrierUnclear},
		"fault as a 500":     {500, "BadRequestException", "", dispatch.CarrierUnclear},
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
		requireFailure(t, err, dispatch.CarrierUnclear)
	})
	t.Run("a broken response", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: `{"Erika`} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, dispatch.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("no response", func(t *testing.T) {
		s := newSES(t)
		s.instead = func(int, *http.Request) *reply { return &reply{hangUp: true} }
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, dispatch.CarrierUnclear)
		assert.Equal(t, 1, s.calls)
	})
	t.Run("connection refused", func(t *testing.T) {
		s := newSES(t)
		s.url = "http://" + closedPort(t)
		_, err := emailCarrier(t, s.client(), newClock().now).Send(t.Context(), emailShipment())
		assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierBusy), errNoConnection)
	})
	t.Run("timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			hanging := sender(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
			_, err := emailCarrier(t, hanging, newClock().now).Send(t.Context(), emailShipment())
			assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierUnclear), context.DeadlineExceeded)
		})
	})
	t.Run("any other error is unclear and not quoted", func(t *testing.T) {
		broken := sender(func(context.Context) error { return errors.New("Erika Mustermann") })
		_, err := emailCarrier(t, broken, newClock().now).Send(t.Context(), emailShipment())
		requireFailure(t, err, dispatch.CarrierUnclear)
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
