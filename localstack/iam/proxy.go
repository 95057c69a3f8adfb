package iam

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Proxy passes calls on to a service if the caller's policies allow them. The access key
// that signed a call is the caller: the function's name.
type Proxy struct {
	Account Account
	// Policies are the statements of each caller.
	Policies map[string][]Statement
	// Denied is called for every denied call. It must be safe for concurrent use.
	Denied func(reason string)
}

var credential = regexp.MustCompile(`Credential=([^/]+)/`)

// To returns a handler that passes calls on to the service at upstream.
func (p *Proxy) To(upstream string) (http.Handler, error) {
	target, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("address of a service: %w", err)
	}
	onward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Set("Authorization", credential.ReplaceAllStringFunc(r.In.Header.Get("Authorization"), lettersAndDigits))
		},
		// As many as the functions keep open.
		Transport:    &http.Transport{MaxIdleConnsPerHost: 256},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller has gone
		}
		if reason := p.refuse(r, body); reason != "" {
			p.Denied(reason)
			deny(w, reason)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		onward.ServeHTTP(w, r)
	}), nil
}

// lettersAndDigits turns a function's name into an access key as AWS makes them. DynamoDB
// Local refuses any other. No emulator checks signatures.
func lettersAndDigits(key string) string { return strings.ReplaceAll(key, "-", "") }

// refuse returns why a call is denied, or "" if it is allowed.
func (p *Proxy) refuse(r *http.Request, body []byte) string {
	m := credential.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil {
		return "the call is not signed"
	}
	statements, known := p.Policies[m[1]]
	if !known {
		return "there is no function " + strconv.Quote(m[1])
	}
	requests, err := p.Account.Requests(r, body)
	if err != nil {
		return err.Error()
	}
	for _, request := range requests {
		if !Allowed(statements, request) {
			return "the policies of " + m[1] + " in template.yaml do not allow " + request.String()
		}
	}
	return ""
}

// deny writes AWS's response for a denied call.
func deny(w http.ResponseWriter, reason string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amzn-Errortype", "AccessDeniedException")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": "AccessDeniedException", "message": reason})
}
