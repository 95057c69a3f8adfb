package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// The limits of an HTTP API and of a function's response.
const (
	maxRequestBody = 10 << 20
	maxAnswer      = 6_291_556
	// MaxHeaderBytes is an HTTP API's limit for request line and headers.
	MaxHeaderBytes = 10_240
)

// gatewayLimit is how long an HTTP API waits for a function.
const gatewayLimit = 30 * time.Second

// ServeHTTP is the gateway: it calls the function of the request's route. Errors outside
// the function get API Gateway's responses.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.begin() {
		gatewayError(w, http.StatusServiceUnavailable, "Service Unavailable")
		return
	}
	defer h.inFlight.Done()
	start := h.Now()
	status := h.answer(w, r, start)
	h.Tell(fmt.Sprintf("%d %s %s %s", status, r.Method, r.URL.Path, h.Now().Sub(start).Round(time.Millisecond)))
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request, now time.Time) int {
	found, ok := h.router.find(r.Method, r.URL.Path)
	if !ok {
		return gatewayError(w, http.StatusNotFound, "Not Found")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return gatewayError(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
	} else if err != nil {
		return gatewayError(w, http.StatusBadRequest, "Bad Request")
	}
	id := h.NewID()
	event, err := json.Marshal(requestEvent(r, body, found, now, id))
	if err != nil {
		h.failed("build the event", found.Function, err)
		return gatewayError(w, http.StatusInternalServerError, "Internal Server Error")
	}
	w.Header().Set("Apigw-Requestid", id)

	f := h.functions[found.Function]
	type result struct {
		answer []byte
		err    error
	}
	done := make(chan result, 1)
	h.inFlight.Go(func() {
		// Not the request's context, because a client that goes away does not stop a
		// function.
		answer, err := f.call(h.calls, event)
		done <- result{answer, err}
	})
	var got result
	limit := time.NewTimer(gatewayLimit)
	defer limit.Stop()
	select {
	case got = <-done:
	case <-limit.C:
		got.err = fmt.Errorf("%w: API Gateway waits %s", errTimeout, gatewayLimit)
	}
	if errors.Is(got.err, errTimeout) {
		h.failed("call", f.Name, got.err)
		return gatewayError(w, http.StatusServiceUnavailable, "Service Unavailable")
	}
	if got.err == nil {
		var status int
		if status, got.err = writeAnswer(w, got.answer); got.err == nil {
			return status
		}
	}
	h.failed("call", f.Name, got.err)
	return gatewayError(w, http.StatusInternalServerError, "Internal Server Error")
}

// gatewayError writes an error in API Gateway's format.
func gatewayError(w http.ResponseWriter, status int, message string) int {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
	return status
}

// sourceIP returns the caller's address without its port.
func sourceIP(r *http.Request) string {
	ip, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return ip
}
