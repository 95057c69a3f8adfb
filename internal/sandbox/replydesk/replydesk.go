// Package replydesk plays the organizations that receive cancellation letters: a page
// that lists what waits for an answer, and on which a developer chooses it. docs/sandbox.md
// describes it for programs. The answer goes to the service's callback
// /carriers/v1/replies.
package replydesk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
)

// Path is the path of the page.
const Path = "/sandbox/replies"

// Options configures the page.
type Options struct {
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	// Token authenticates the replies to the service.
	Token string
	// Processor has the letters that are answered, and the client for the service.
	Processor *mailroom.Processor
	// Visitors says whose letters are listed. A nil one lists all.
	Visitors mailroom.Visitors
}

type handler struct{ Options }

// New returns the handler for Path.
func New(opts Options) http.Handler {
	h := &handler{opts}
	site := layout.Site{
		Policy: layout.Policy("; form-action 'self'"), Log: opts.Processor.Log, Notice: notice,
		ErrorTitle: "The answers are not available",
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Serve(w, r, layout.Methods{"GET": h.show, "POST": h.post})
	})
}

// notice shows a message above the form.
func notice(w http.ResponseWriter, _ *http.Request, status int, _, text string) error {
	return form{problem: text}.write(w, status)
}

// maxForm is far larger than the form.
const maxForm = 8 << 10

// show lists what waits, to programs as JSON.
func (h *handler) show(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	a, _ := find(q.Get("done"))
	f := form{cancellation: known(q.Get("cancellation")), done: a.Done, listed: true}
	partner := ""
	if h.Visitors != nil {
		partner, f.listed = h.Visitors.Partner(r)
	}
	var err error
	if f.listed {
		f.waiting, err = h.Processor.Awaiting(r.Context(), partner)
	}
	switch {
	case err != nil:
		return err
	case !layout.WantsJSON(r):
		return f.write(w, http.StatusOK)
	case !f.listed:
		return h.Visitors.SignIn(w, r)
	}
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"waiting": mailroom.Wire(f.waiting)})
}

// known returns the ID if it is a UUID: nothing else from the address is shown on the
// page.
func known(id string) string {
	if uuid.Validate(id) != nil || len(id) != 36 {
		return ""
	}
	return id
}

func (h *handler) post(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return form{problem: "The form is not valid."}.write(w, http.StatusBadRequest)
	}
	f := form{cancellation: known(r.PostForm.Get("cancellation")), chosen: r.PostForm.Get("answer")}
	a, ok := find(f.chosen)
	switch {
	case f.cancellation == "":
		f.problem = "The cancellation ID must be the UUID that POST /cancellations returned."
		return f.write(w, http.StatusUnprocessableEntity)
	case !ok:
		f.problem = "Choose one of the replies."
		return f.write(w, http.StatusUnprocessableEntity)
	}
	status, err := h.send(r.Context(), layout.Origin(h.BaseURL, r), f.cancellation, a)
	switch {
	case err != nil:
		h.Processor.Log.WarnContext(r.Context(), "sandbox reply not delivered", "error", err)
		f.problem = "Aviso does not respond. Please try again."
		return f.write(w, http.StatusBadGateway)
	case status == http.StatusNotFound:
		h.note(r.Context(), f.cancellation, mailroom.Erased) // it no longer waits
		f.problem = "Aviso has no cancellation with this ID."
		return f.write(w, status)
	case status == http.StatusConflict:
		f.problem = "The letter has not been sent yet, or the organization has already replied."
		return f.write(w, status)
	case status != http.StatusNoContent:
		f.problem = fmt.Sprintf("Aviso returned status %d.", status)
		return f.write(w, http.StatusBadGateway)
	}
	h.note(r.Context(), f.cancellation, a.Value)
	return layout.Redirect(w, Path+"?done="+a.Value)
}

// note notes on the letters the outcome of a cancellation. Aviso already knows.
func (h *handler) note(ctx context.Context, cancellation, reply string) {
	if err := h.Processor.Replied(ctx, cancellation, reply); err != nil {
		h.Processor.Log.WarnContext(ctx, "sandbox reply not noted", "error", err)
	}
}

// send reports the reply to the service.
func (h *handler) send(ctx context.Context, base, cancellation string, a answer) (status int, err error) {
	body, err := json.Marshal(map[string]string{
		"cancellationId": cancellation, "status": a.status, "statusReason": a.reason,
	})
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/carriers/v1/replies", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+h.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := h.Processor.Client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // keeps the connection for the next one
	return res.StatusCode, nil
}
