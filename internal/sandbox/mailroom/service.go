package mailroom

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

// These are the paths of the calls of the service itself, which have its token:
//
//	PUT /sandbox/mail/{shipmentId}
//	Authorization: Bearer <token>
//	{"cancellationId", "partnerId", "to", "subject", "text", "pdf": in base64}
//
// With it letter-dispatch gives the sandbox a copy of each mail that SES has accepted, since
// outside production no mail reaches anybody. DELETE removes the copy when its user is erased.
// Both return 204, also if there is nothing to do.
//
//	POST /sandbox/clock/letters
//	{"references": [cancellation IDs], "until": "<the user's time>"}
//
// moves the time of a user's letters; see Processor.Forward. It answers {"nextDue": "<time>"},
// without the member if nothing waits. All return 400, 401 or 404 for what cannot be taken.
const (
	MailPath    = "/sandbox/mail"
	ForwardPath = "/sandbox/clock/letters"
)

// maxServiceBody is more than a letter and its text in JSON, and than the cancellations of a
// user.
const maxServiceBody = 4 << 20

// HandleService registers the calls of the service. Without a token it accepts nothing.
func HandleService(p *Processor, mux *http.ServeMux, token string) {
	mail := http.NewServeMux()
	handle := func(mux *http.ServeMux, pattern string, call func(r *http.Request) (Reply, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			reply, err := Reply{Status: http.StatusUnauthorized}, error(nil)
			if Bearer(r, token) {
				reply, err = call(r)
			}
			if err != nil {
				p.LogFailure(r, err)
				reply = Reply{Status: http.StatusInternalServerError}
			}
			reply.write(w)
		})
	}
	handle(mail, "PUT "+MailPath+"/{shipment}", p.putMail)
	handle(mail, "DELETE "+MailPath+"/{shipment}", p.removeMail)
	mux.Handle(MailPath+"/", layout.Timed(mail, p.Now))
	handle(mux, "POST "+ForwardPath, p.forward)
}

// readService reads the body of a call of the service.
func readService(r *http.Request, into any) bool {
	return json.NewDecoder(io.LimitReader(r.Body, maxServiceBody)).Decode(into) == nil
}

func (p *Processor) forward(r *http.Request) (Reply, error) {
	var asked struct {
		References []string
		Until      time.Time
	}
	if !readService(r, &asked) || asked.Until.After(p.Now().Add(clock.MaxAhead)) {
		return Reply{Status: http.StatusBadRequest}, nil
	}
	next, err := p.Forward(r.Context(), asked.References, asked.Until)
	return JSON(http.StatusOK, "application/json", struct {
		NextDue time.Time `json:"nextDue,omitzero"`
	}{next.UTC()}), err
}

// mailNote returns the note under which the ID of a mail's copy is kept.
func mailNote(r *http.Request) (note Answer, known bool) {
	shipment := r.PathValue("shipment")
	return Answer{ID: "mail/" + shipment, Status: http.StatusNoContent}, uuid.Validate(shipment) == nil
}

// mailCopy is a mail as letter-dispatch passes it on.
type mailCopy struct {
	CancellationID, PartnerID string
	To, Subject, Text         string
	PDF                       []byte
}

func (p *Processor) putMail(r *http.Request) (Reply, error) {
	note, known := mailNote(r)
	var mail mailCopy
	switch {
	case !known:
		return Reply{Status: http.StatusNotFound}, nil
	case !readService(r, &mail) || !isID(mail.CancellationID):
		return Reply{Status: http.StatusBadRequest}, nil
	}
	err := p.Store.Save(r.Context(), p.mail(r.Context(), note, mail)...)
	if errors.Is(err, outcome.ErrChanged) { // it was put before
		err = nil
	}
	return Reply{Status: http.StatusNoContent}, err
}

// mail returns the mail, its document if there is room for it, and a note of its ID under
// that of the shipment.
func (p *Processor) mail(ctx context.Context, note Answer, mail mailCopy) []sandboxdb.Record {
	l := Letter{
		ID: p.NewID(), Carrier: Email, How: ByEmail, To: mail.To, CancellationID: mail.CancellationID,
		Partner: mail.PartnerID, Subject: mail.Subject, Text: mail.Text, HasFile: len(mail.PDF) <= MaxDocument,
	}
	p.Arrive(ctx, &l)
	l.CompletedAt = l.CreatedAt
	l.SetState("sent", l.CreatedAt) // SES has accepted it
	// SES's mailbox simulator returns mail for these; real mail is never returned here.
	to, simulated := strings.CutSuffix(strings.ToLower(mail.To), "@simulator.amazonses.com")
	if simulated && (strings.HasPrefix(to, "bounce") || strings.HasPrefix(to, "suppressionlist")) {
		l.SetState("undeliverable", l.CreatedAt)
	}
	if info, err := Inspect(mail.PDF); err == nil {
		l.Pages = info.Pages
	}
	note.Body, note.Forget = []byte(l.ID), l.KeepUntil()
	records := []sandboxdb.Record{l, note}
	if l.HasFile {
		records = append(records, Document{LetterID: l.ID, Content: mail.PDF, Forget: l.KeepUntil()})
	}
	return records
}

func (p *Processor) removeMail(r *http.Request) (Reply, error) {
	note, known := mailNote(r)
	if !known {
		return Reply{Status: http.StatusNotFound}, nil
	}
	note, err := sandboxdb.Get(r.Context(), p.Store.Store, note)
	if errors.Is(err, outcome.ErrNotFound) {
		return Reply{Status: http.StatusNoContent}, nil
	}
	if err == nil {
		letter := string(note.Body)
		err = p.Store.Delete(r.Context(), Letter{ID: letter}, Document{LetterID: letter}, note)
	}
	return Reply{Status: http.StatusNoContent}, err
}
