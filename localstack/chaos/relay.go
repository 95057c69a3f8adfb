package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// maxBody is more than any request or response.
	maxBody = 64 << 20
	// passWithin limits a call that is passed on.
	passWithin = 70 * time.Second
)

// message is a request on its way, with its body.
type message struct {
	*http.Request
	body []byte
	// arrived is when the call came to the proxy.
	arrived time.Time
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// fault is what happens to a call on its way. Its zero value passes the call on.
type fault struct {
	// name is how the fault is counted; empty for none.
	name string
	// wait is how long the call is held up.
	wait time.Duration
	// lost: the call does not arrive.
	lost bool
	// twice: the call arrives twice.
	twice bool
	// kill kills the stack, before the answer leaves.
	kill bool
	// hold is how long the answer is held up.
	hold time.Duration
	// cut closes the connection instead of an answer.
	cut bool
	// instead is answered in place of the real answer.
	instead *answer
	// change changes the real answer.
	change func(*answer)
}

// relay is a proxy that breaks some of the calls that it passes on.
type relay struct {
	// target returns the address to pass calls on to.
	target func() string
	// pick returns what happens to a call. It must be safe for concurrent use.
	pick func(message) fault
	// passed is called with every answer of the target, and with an empty one if there was
	// none; it may be nil.
	passed func(message, answer)
	// kill kills the stack.
	kill   func()
	counts *tally
	client *http.Transport
}

func newTransport() *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: 64, DisableCompression: true,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}
}

func (p *relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return // the caller has gone
	}
	m := message{Request: r, body: body, arrived: time.Now()}
	f := p.pick(m)
	p.counts.add("calls")
	if f.name != "" {
		p.counts.add(f.name)
	}
	time.Sleep(f.wait)
	var a answer
	if !f.lost {
		if a, err = p.pass(m); err == nil && f.twice {
			a, err = p.pass(m)
		}
	}
	if f.kill {
		p.kill()
	}
	time.Sleep(f.hold)
	switch {
	case err != nil, f.cut, f.kill:
		panic(http.ErrAbortHandler)
	case f.instead != nil:
		a = *f.instead
	case f.change != nil:
		f.change(&a)
	}
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // the caller may have gone
}

// pass passes the call on, even if the caller goes away.
func (p *relay) pass(m message) (answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.Context()), passWithin)
	defer cancel()
	at, err := url.Parse(p.target())
	if err != nil {
		return answer{}, err
	}
	onward := m.Clone(ctx)
	onward.URL.Scheme, onward.URL.Host, onward.RequestURI = at.Scheme, at.Host, ""
	onward.Body, onward.ContentLength = io.NopCloser(bytes.NewReader(m.body)), int64(len(m.body))
	a, err := p.call(onward)
	if p.passed != nil {
		p.passed(m, a)
	}
	return a, err
}

func (p *relay) call(r *http.Request) (answer, error) {
	response, err := p.client.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	header := response.Header.Clone()
	header.Del("Content-Length")
	return answer{status: response.StatusCode, header: header, body: body}, nil
}
