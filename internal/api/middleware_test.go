package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/metrictest"
)

func oddly(name string) request { return get("/test/odd/" + name) }

func TestHandlerThatFails(t *testing.T) {
	t.Parallel()

	t.Run("with a panic gives a problem, and logs the cause", func(t *testing.T) {
		s := newService(t)
		for _, r := range []request{oddly("panic"), create(`{"name":"Panic"}`)} {
			_, res := s.refused(r, http.StatusInternalServerError, "internal_error")
			assert.NotContains(t, res.body, "plot")
			line := s.log.last(t)
			assert.Equal(t, "ERROR", line["level"])
			assert.Contains(t, line["error"], "panic: lost the plot")
			assert.Contains(t, line["error"], "operations_test.go", "the stack has the position")
			metrictest.Assert(t, line, "ServerErrors", "Count", 1)
			assert.EqualValues(t, 1, line["Failures"])
		}
		s.accepted(oddly("show"), http.StatusOK)
	})

	t.Run("halfway drops what it has written", func(t *testing.T) {
		s := newService(t)
		_, res := s.refused(oddly("halfway"), http.StatusInternalServerError, "internal_error")
		assert.NotContains(t, res.body, "half")
		assert.Empty(t, res.cookies)
		assert.Equal(t, "nosniff", res.header.Get("X-Content-Type-Options"))
		assert.Contains(t, s.log.last(t)["error"], "panic: lost the plot")
	})

	t.Run("with a response that cannot be encoded gives a problem", func(t *testing.T) {
		s := newService(t)
		s.refused(get("/test/v1/unwritable"), http.StatusInternalServerError, "internal_error")
		assert.Contains(t, s.log.last(t)["error"], "marshal")
	})

	t.Run("after it began to write can still give a problem", func(t *testing.T) {
		s := newService(t)
		_, res := s.refused(oddly("change-of-mind"), http.StatusConflict, "conflict")
		assert.NotContains(t, res.body, "all is")
	})

	t.Run("to respond gives a problem", func(t *testing.T) {
		s := newService(t)
		s.refused(oddly("nothing"), http.StatusInternalServerError, "internal_error")
		assert.Equal(t, "handler of GET /test/odd/nothing wrote no response", s.log.last(t)["error"])
	})

	t.Run("with an unknown error hides the cause", func(t *testing.T) {
		s := newService(t)
		_, res := s.refused(create(`{"name":"Broken"}`), http.StatusInternalServerError, "internal_error")
		assert.NotContains(t, res.body, "fire")
		assert.Equal(t, "the disk is on fire", s.log.last(t)["error"])
	})

	t.Run("but writes its own page logs the cause", func(t *testing.T) {
		s := newService(t)
		s.accepted(oddly("noted"), http.StatusServiceUnavailable)
		assert.Equal(t, "the disk is on fire", s.log.last(t)["error"])
	})

	t.Run("because of another service does not count against the version", func(t *testing.T) {
		s := newService(t)
		s.ops.read = func(context.Context) error {
			return errors.Join(apierror.New(apierror.TemporarilyUnavailable, "The bank is down."),
				&outcome.Later{Err: errUnexpected, Normal: true})
		}
		read := get("/test/v1/read")
		s.refused(read, http.StatusServiceUnavailable, "temporarily_unavailable")
		line := s.log.last(t)
		metrictest.Assert(t, line, "ServerErrors", "Count", 1)
		assert.NotContains(t, line, "VersionErrors")
		assert.Contains(t, line["error"], "the disk is on fire")
	})

	t.Run("by writing two statuses keeps the first", func(t *testing.T) {
		s := newService(t)
		s.accepted(oddly("twice"), http.StatusTeapot)
		assert.EqualValues(t, http.StatusTeapot, s.log.last(t)["status"])
	})
}

func TestBrowsersComeBackOverHTTPSOnly(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		baseURL: "max-age=31536000", "": "max-age=31536000", "http://localhost:3000": "",
	} {
		s := serve(t, func(o *api.Options) { o.BaseURL = address })
		for _, path := range []string{"/test/odd/show", "/unknown"} {
			res := s.send(get(path))
			assert.Equal(t, want, res.header.Get("Strict-Transport-Security"), "%s%s", address, path)
		}
	}
}

func TestLogLine(t *testing.T) {
	t.Parallel()

	t.Run("describes the request", func(t *testing.T) {
		s := newService(t)
		res := s.accepted(create(`{"name":"a"}`), http.StatusCreated)
		line := s.log.last(t)
		for name, want := range map[string]any{
			"level": "INFO", "Service": "test", "Route": "POST /test/v1/things", "method": "POST", "operation": "createThing", "problem": "", "status": 201.0, "Duration": 0.0, "AwsCalls": 0.0, "AwsRetries": 0.0,
			"bytes": float64(len(res.body)), "coldStart": true, "partner": "acme", "replayed": false, "Failures": 0.0, "userDigest": "", "requestId": res.header.Get("X-Request-Id"),
		} {
			assert.Equal(t, want, line[name], name)
		}
		assert.NotContains(t, line, "error")
		s.refused(list("limit=0"), http.StatusUnprocessableEntity, "validation_failed")
		assert.Equal(t, false, s.log.last(t)["coldStart"])
		assert.Equal(t, "validation_failed", s.log.last(t)["problem"])
		s.refused(get("/secret-path"), http.StatusNotFound, "not_found")
		assert.Equal(t, "unknown", s.log.last(t)["Route"])
	})

	t.Run("has a digest of the user, and the fields of a template that do not fit, but nothing that was sent", func(t *testing.T) {
		s := newService(t)
		r := get("/test/v1/who").with("X-User-Id", userID)
		s.accepted(r, http.StatusOK)
		assert.Equal(t, owner.User{Partner: "acme", ID: userID}.Digest(), s.log.last(t)["userDigest"])
		assert.NotContains(t, fmt.Sprint(s.log.last(t)), userID)
		s.refused(create(`{"name":"Misfit"}`), http.StatusUnprocessableEntity, "template_mismatch")
		assert.Equal(t, []any{"EMAIL format"}, s.log.last(t)["faults"])
		s.accepted(create(`{"name":"a"}`), http.StatusCreated)
		assert.NotContains(t, s.log.last(t), "faults")
	})

	t.Run("uses the given clock", func(t *testing.T) {
		var s *service
		s = newService(t, func(o *api.Options) {
			o.Now = func() time.Time { s.clock.Advance(750 * time.Microsecond); return s.clock.Now() }
		})
		s.accepted(oddly("show"), http.StatusOK)
		assert.InDelta(t, 0.75, s.log.last(t)["Duration"], 1e-9)
	})

	t.Run("is a CloudWatch metric only for failures, and of no route: each would cost three", func(t *testing.T) {
		s := newService(t)
		s.refused(oddly("panic"), http.StatusInternalServerError, "internal_error")
		metrictest.Assert(t, s.log.last(t), "ServerErrors", "Count", 1)
		s.accepted(oddly("show"), http.StatusOK)
		line := s.log.last(t)
		assert.NotContains(t, line, "_aws")
		for _, name := range []string{"Duration", "AwsCalls", "Failures"} {
			assert.IsType(t, 0.0, line[name], name)
		}
		for _, name := range []string{"Service", "Route"} {
			assert.IsType(t, "", line[name], name)
		}
	})

	t.Run("has the trace that the client began, or one of the request ID", func(t *testing.T) {
		s := newService(t)
		for header, want := range map[string]observe.TraceID{
			"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01": "4bf92f3577b34da6a3ce929d0e0e4736",
			"": observe.TraceOf("order-17"), "00-nonsense-01": observe.TraceOf("order-17"),
		} {
			traced := oddly("show")
			traced.header = map[string]string{"X-Request-Id": "order-17", "traceparent": header}
			s.accepted(traced, http.StatusOK)
			assert.Equal(t, string(want), s.log.last(t)["traceId"], header)
		}
	})

	t.Run("has no token, user, body, query, path or client", func(t *testing.T) {
		s := newService(t)
		token := s.token("acme")
		mine := get("/test/v1/mine").with("X-User-Id", userID).with("Authorization", "Bearer "+token)
		mine.query = "kind=" + marker
		s.accepted(mine, http.StatusOK)
		s.accepted(create(`{"name":"`+marker+`"}`), http.StatusCreated)
		s.refused(create(`{"name":{"`+marker+`":"`+marker+`"}}`), http.StatusUnprocessableEntity, "validation_failed")
		s.refused(get("/"+marker), http.StatusNotFound, "not_found")
		s.refused(mine.with("Authorization", "Bearer "+marker), http.StatusUnauthorized, "unauthorized")
		s.refused(mine.with("X-User-Id", marker), http.StatusBadRequest, "user_id_required")
		for _, secret := range []string{token, marker, userID, "192.0.2.7"} {
			assert.NotContains(t, s.log.text(), secret)
		}
	})
}
