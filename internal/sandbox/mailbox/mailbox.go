// Package mailbox shows a developer the mail that leaves Aviso. Outside production no
// mail reaches anybody: SES delivers it to its own simulator, or on a developer's machine
// to an emulator. So letter-dispatch gives the sandbox a copy of each mail that SES has
// accepted:
//
//	PUT /sandbox/mail/{shipmentId}
//	Authorization: Bearer <token>
//	{"cancellationId", "partnerId", "to", "subject", "text", "pdf": in base64}
//
// DELETE removes the copy when its user is erased. Both return 204, also if there is
// nothing to do, and 400, 401 or 404 for what cannot be taken. The pages of package
// mailroom list the mail beside letters and faxes.
package mailbox

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// Path is the base path of the API.
const Path = "/sandbox/mail"

// maxBody is more than a letter and its text in JSON.
const maxBody = 4 << 20

// sent is the only state of a mail: SES has accepted it.
const sent mailroom.State = "sent"

type mailbox struct {
	mailroom.Options
	token string
}

// New returns the handler for everything below Path. Without a token it accepts nothing.
func New(opts mailroom.Options, token string) http.Handler {
	m := &mailbox{opts, token}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT "+Path+"/{shipment}", m.authorised(m.put))
	mux.HandleFunc("DELETE "+Path+"/{shipment}", m.authorised(m.remove))
	return mux
}

// authorised handles a call, which returns the status of the response, for letter-dispatch.
func (m *mailbox) authorised(call func(r *http.Request, known string) (status int, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		shipment := r.PathValue("shipment")
		switch {
		case !mailroom.Bearer(r, m.token):
			w.WriteHeader(http.StatusUnauthorized)
			return
		case uuid.Validate(shipment) != nil:
			w.WriteHeader(http.StatusNotFound)
			return
		}
		status, err := call(r, "mail/"+shipment)
		if err != nil {
			m.Processor.Log.ErrorContext(r.Context(), "sandbox mailbox failed", "method", r.Method, "error", err)
			status = http.StatusInternalServerError
		}
		w.WriteHeader(status)
	}
}

// copyOf is a mail as letter-dispatch passes it on.
type copyOf struct {
	CancellationID, PartnerID string
	To, Subject, Text         string
	PDF                       []byte
}

func (c copyOf) valid() bool { return uuid.Validate(c.CancellationID) == nil }

// put keeps a mail.
func (m *mailbox) put(r *http.Request, known string) (status int, err error) {
	var mail copyOf
	read := json.NewDecoder(io.LimitReader(r.Body, maxBody)).Decode(&mail) == nil
	if !read || !mail.valid() {
		return http.StatusBadRequest, nil
	}
	err = m.Processor.Store.Save(r.Context(), m.records(r.Context(), known, mail)...)
	if errors.Is(err, outcome.ErrChanged) { // it was put before
		err = nil
	}
	return http.StatusNoContent, err
}

// remove deletes a mail.
func (m *mailbox) remove(r *http.Request, known string) (status int, err error) {
	store := m.Processor.Store
	note, err := store.Answer(r.Context(), known)
	if errors.Is(err, outcome.ErrNotFound) {
		return http.StatusNoContent, nil
	}
	if err != nil {
		return 0, err
	}
	letter := string(note.Body)
	err = store.Delete(r.Context(), mailroom.Letter{ID: letter}, mailroom.Document{LetterID: letter}, note)
	return http.StatusNoContent, err
}

// records are the mail, its document if there is room for it, and a note of its ID under
// that of the shipment.
func (m *mailbox) records(ctx context.Context, known string, mail copyOf) []mailroom.Record {
	l := mailroom.Letter{
		ID: m.NewID(), Carrier: mailroom.Email, How: mailroom.ByEmail, To: mail.To,
		CancellationID: mail.CancellationID, Partner: mail.PartnerID, Subject: mail.Subject, Text: mail.Text,
		HasFile: len(mail.PDF) <= mailroom.MaxDocument,
	}
	m.Processor.Arrive(ctx, &l)
	l.CompletedAt = l.CreatedAt
	l.SetState(sent, l.CreatedAt)
	if info, err := mailroom.Inspect(mail.PDF); err == nil {
		l.Pages = info.Pages
	}
	records := []mailroom.Record{
		l, mailroom.Answer{ID: known, Body: []byte(l.ID), Status: http.StatusNoContent, Forget: l.KeepUntil()},
	}
	if l.HasFile {
		records = append(records, mailroom.Document{LetterID: l.ID, Content: mail.PDF, Forget: l.KeepUntil()})
	}
	return records
}
