package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	aviso "aviso.example/client"

	"aviso/internal/clock"
)

// dice are the random choices of one part of the run. Each part has its own, made from
// the seed and the part's name, so that a choice more in one part does not change those
// of the others.
type dice struct {
	mu   sync.Mutex
	rand *rand.Rand
}

func newDice(seed uint64, part string) *dice {
	name := fnv.New64a()
	_, _ = name.Write([]byte(part)) // never fails
	// The same run is wanted for the same seed, so it is not meant to be secure.
	return &dice{rand: rand.New(rand.NewPCG(seed, name.Sum64()))} // #nosec G404
}

// upTo returns a number from 0 to n-1.
func (d *dice) upTo(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.IntN(n)
}

// in reports true once in n times on average.
func (d *dice) in(n int) bool { return d.upTo(n) == 0 }

// wait returns a duration from low to high.
func (d *dice) wait(low, high time.Duration) time.Duration {
	return low + time.Duration(d.upTo(int((high-low)/time.Millisecond)+1))*time.Millisecond
}

// pick returns one of the choices.
func pick[T any](d *dice, choices []T) T { return choices[d.upTo(len(choices))] }

const (
	// passWithin limits a call that is passed on.
	passWithin = 70 * time.Second
	// tooLong is longer than the service waits for a carrier or a bank.
	tooLong = 17 * time.Second
)

// fault is what happens to a call on its way. Its zero value passes the call on.
type fault struct {
	name string
	// wait is how long the call is held up, hold how long its answer.
	wait, hold time.Duration
	// lost: the call does not arrive. twice: it arrives twice. cut: the connection is reset in
	// place of an answer.
	lost, twice, cut bool
}

// proxy is the public address of the stack. It breaks some of the calls that pass it: those of
// partners and their users, those of the functions to banks and carriers, and the carriers'
// callbacks.
type proxy struct {
	run   *run
	stack *httputil.ReverseProxy
	dice  *dice
}

func newProxy(r *run) *proxy {
	target := &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", r.stack.port)}
	return &proxy{run: r, dice: newDice(r.seed, "proxy"), stack: &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
		},
		// What the stack does not answer is not answered.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}}
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	f := p.pick(r)
	time.Sleep(f.wait)
	answer := httptest.NewRecorder()
	if !f.lost {
		answer = p.pass(r, body)
	}
	if f.twice {
		answer = p.pass(r, body)
	}
	time.Sleep(f.hold)
	if f.cut {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the caller may have gone
}

// pass passes the call on, even if the caller goes away.
func (p *proxy) pass(r *http.Request, body []byte) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), passWithin)
	defer cancel()
	onward := r.Clone(ctx)
	onward.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	p.stack.ServeHTTP(answer, onward)
	return answer
}

// pick chooses what happens to a call.
func (p *proxy) pick(r *http.Request) fault {
	kind, every := kindOf(r.URL.Path)
	if every == 0 || !p.run.breaking.Load() || !p.dice.in(every) {
		return fault{}
	}
	faults := []fault{
		{name: "cut before the effect", lost: true, cut: true},
		{name: "cut after the effect", cut: true}, {name: "cut after the effect", cut: true},
		{name: "delayed", wait: p.dice.wait(100*time.Millisecond, 4*time.Second)},
	}
	switch kind {
	case "callback":
		faults = append(faults, fault{name: "arrived twice", twice: true}, fault{name: "arrived twice", twice: true})
	case "carrier", "bank":
		hung := fault{name: "hung", wait: tooLong, lost: true, cut: true}
		faults = append(faults, hung, fault{name: "answered too late", hold: tooLong})
	}
	chosen := pick(p.dice, faults)
	p.run.count("call of a " + kind + " " + chosen.name)
	return chosen
}

// kindOf says whose call it is, and that one of how many breaks on average.
func kindOf(path string) (kind string, every int) {
	switch {
	case strings.HasPrefix(path, "/sandbox/post/"), strings.HasPrefix(path, "/sandbox/fax/"):
		return "carrier", 10
	case strings.HasPrefix(path, "/sandbox/banks/") && strings.Contains(path, "/v1/"):
		return "bank", 20
	case strings.HasPrefix(path, "/carriers/v1/"):
		return "callback", 4
	case strings.HasPrefix(path, "/sandbox/"):
		return "user", 0 // at the bank
	default:
		return "partner", 30
	}
}

// receivers are the partners' servers for callbacks. Each subscription has its own path.
type receivers struct {
	run  *run
	dice *dice
	url  string
	// keys are by path. They are all there before the first event.
	keys map[string]key
}

// key is what a subscription's receiver knows of it.
type key struct{ subscription, secret string }

// ServeHTTP acknowledges what the subscription's key has signed, unless it fails on purpose.
func (r *receivers) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	known := r.keys[req.URL.Path]
	if _, err := aviso.Verify(body, req.Header, known.secret); err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		EventID, EventType string
		Data               struct{ CancellationID string }
	}
	_ = json.Unmarshal(body, &event) // Verify has read it, too
	fails := r.run.breaking.Load() && r.dice.in(6)
	r.run.note(func(all *record) {
		all.Callbacks = append(all.Callbacks, callback{
			known.subscription, event.EventID, event.EventType, event.Data.CancellationID, !fails,
		})
	})
	if fails {
		r.fail(w, req)
		return
	}
	_ = json.NewEncoder(w).Encode(aviso.EventAcknowledgement{IsAcknowledged: true, Timestamp: time.Now().UTC()})
}

// fail answers with something that is not an acknowledgement.
func (r *receivers) fail(w http.ResponseWriter, req *http.Request) {
	name := pick(r.dice, []string{"answered 500", "cut the call", "cut its answer"})
	if r.dice.in(20) {
		name = "hung for a minute"
	}
	r.run.count("receiver " + name)
	switch name {
	case "answered 500":
		w.WriteHeader(http.StatusInternalServerError)
		return
	case "cut its answer":
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"isAcknowledged":true`)
	case "hung for a minute":
		clock.Wait(req.Context(), time.Minute+time.Second)
	}
	panic(http.ErrAbortHandler)
}
