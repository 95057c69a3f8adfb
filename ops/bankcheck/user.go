package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
)

// pause is how long to wait between checks whether the user has confirmed.
const pause = 3 * time.Second

var errNobody = errors.New("bank-check: nobody confirmed: the input has ended")

// user is the person who runs the program, at a terminal and in a browser.
type user struct {
	settings
	out      io.Writer
	redirect string
	lines    <-chan string // from the terminal
	returns  <-chan string // the addresses to which the bank sends the user
	server   *http.Server
	// shown is the last page that was printed. back is set when the user has returned from it.
	shown string
	back  bool
	// given is set when the flags' ID and accounts have been sent.
	given bool
}

func newUser(ctx context.Context, s settings, in io.Reader, out io.Writer) (*user, error) {
	u := &user{settings: s, out: out, redirect: s.redirect, lines: linesOf(in)}
	u.returns = u.lines
	switch {
	case s.redirect != "":
	case s.providerID != "":
		u.redirect = strings.TrimRight(s.baseURL, "/") + "/connect/callback/" + s.providerID // registered at the bank
	default:
		if err := u.listen(ctx); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// listen waits for the browser to return from the bank.
func (u *user) listen(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the bank's redirect: %w", err)
	}
	u.redirect = "http://" + listener.Addr().String() + "/callback"
	returns := make(chan string, 1)
	u.returns = returns
	u.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/callback" {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, "The check goes on in the terminal. You can close this window.\n")
			select {
			case returns <- r.URL.String():
			default: // the page was reloaded
			}
		})}
	go func() { _ = u.server.Serve(listener) }()
	return nil
}

func (u *user) close() {
	if u.server != nil {
		_ = u.server.Close()
	}
}

func linesOf(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- strings.TrimSpace(s.Text())
		}
	}()
	return lines
}

func (u *user) say(text string) { _, _ = fmt.Fprintln(u.out, text) }

// answer returns the user's answer to a step.
func (u *user) answer(ctx context.Context, s bankcheck.State) (pfm.UserAnswer, error) {
	next := s.Next
	if next.Kind == pfm.StepAsk {
		return u.ask(ctx, next)
	}
	if shown := next.URL + next.Message; shown != u.shown {
		u.shown, u.back = shown, false
		switch {
		case next.Kind == pfm.StepWait:
			u.say("Confirm in the bank's app: " + next.Message)
		case u.server != nil:
			u.say("Open this page and authorise the consent:\n  " + next.URL)
		default:
			u.say("Open this page and authorise the consent. Then paste the address to which the bank has sent you:\n  " + next.URL)
		}
	}
	if next.Kind == pfm.StepWait || u.back {
		clock.Wait(ctx, pause)
		return pfm.UserAnswer{}, ctx.Err()
	}
	u.back = true
	line, err := receive(ctx, u.returns)
	if err != nil {
		return pfm.UserAnswer{}, err
	}
	back, err := url.Parse(line)
	if err != nil {
		return pfm.UserAnswer{}, errors.New("bank-check: this is not an address")
	}
	return pfm.UserAnswer{Callback: back.Query()}, nil
}

func receive(ctx context.Context, lines <-chan string) (string, error) {
	select {
	case line, ok := <-lines:
		if !ok {
			return "", errNobody
		}
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// ask returns the answer to the bank's questions, from the flags or from the terminal.
func (u *user) ask(ctx context.Context, next pfm.Step) (a pfm.UserAnswer, err error) {
	if next.Refused {
		u.say("The bank does not accept this.")
	}
	a = pfm.UserAnswer{PSUID: u.psuID, IBANs: u.list()}
	if next.AsksPSUID && (a.PSUID == "" || u.given) {
		u.say("Your ID at the bank:")
		if a.PSUID, err = receive(ctx, u.lines); err != nil {
			return a, err
		}
	}
	if next.AsksIBANs && (len(a.IBANs) == 0 || u.given) {
		u.say("The accounts' IBANs, separated by commas:")
		line, err := receive(ctx, u.lines)
		if err != nil {
			return a, err
		}
		a.IBANs = settings{ibans: line}.list()
	}
	u.given = true
	return a, nil
}
