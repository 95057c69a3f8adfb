package mailroom

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/sandboxdb"
)

// PostPath is the base path of the post office.
const PostPath = "/sandbox/post"

// PostCredentials are the credentials of the only organisation.
type PostCredentials struct {
	ClientID, ClientSecret string
	// OrganisationID is a UUID.
	OrganisationID string
	// WebhookSecret is the signing key for webhooks.
	WebhookSecret string
}

// PostOffice is the sandbox's print-and-mail carrier: an HTTP server that
// implements the Pingen API v2, so that outside production the service runs the same
// client code as in production. It rejects what the real API rejects, in the same format.
//
// Sources: Pingen's documentation (api.pingen.com/documentation, version 2.0.0),
// its published clients (github.com/pingencom/pingen2-sdk-go and -rust), and real
// webhooks since July 2026 (recorded in
// github.com/AMANDA-Technology/PingenApiNet).
//
// # Addresses
//
// Pingen has two hosts; here they are two paths:
//
//	identity.pingen.com → /sandbox/post/identity
//	api.pingen.com      → /sandbox/post
//
// # Token
//
//	POST /sandbox/post/identity/auth/access-tokens
//	Content-Type: application/x-www-form-urlencoded
//	grant_type=client_credentials&client_id=…&client_secret=…&scope=letter
//
//	200 {"token_type":"Bearer","expires_in":43200,"access_token":"…"}
//	400 {"error":"unsupported_grant_type"|"invalid_request"|"invalid_scope",
//	     "error_description":"…","message":"…"}
//	401 {"error":"invalid_client", …}
//
// # API
//
// Every call needs Authorization: Bearer. Request and response bodies are
// application/vnd.api+json (JSON:API); a request body of another type is 415. Every
// response has X-Request-Id. Errors are
//
//	{"errors":[{"code":"…","title":"…","detail":"…",
//	    "source":{"pointer":"/data/attributes/…","parameter":"…"}}]}
//
// with 400 (malformed), 401, 403 (not possible in the letter's state),
// 404, 405, 409 (the body has a wrong id or type; an idempotency key is in use), 413,
// 415, 422 (invalid), 429 with Retry-After in seconds, and 500. Timestamps have an
// offset without a colon: 2026-11-20T12:00:00+0000.
//
//	GET /sandbox/post/file-upload
//	200 {"data":{"id":uuid,"type":"file_uploads","attributes":{"url":…,
//	     "url_signature":…,"expires_at":…},"links":{"self":…}}}
//
//	PUT <url>                       below /sandbox/post/uploads/, without a token
//	200, empty; 400, 403 and 413 with the XML of an object store. The body must be a
//	PDF of at most 300 KB. The URL is valid for an hour.
//
//	POST /sandbox/post/organisations/{org}/deliveries/letters
//	{"data":{"type":"letters","attributes":{
//	   "file_original_name": 1–255 characters, "file_url":…, "file_url_signature":…,
//	   "address_position":"left"|"right", "auto_send":bool,
//	   "delivery_product":"fast"|"cheap"|"bulk"|"premium"|"registered" or a product
//	     of one post (postag_registered),
//	   "print_mode":"simplex"|"duplex", "print_spectrum":"color"|"grayscale",
//	   "meta_data":{"recipient":{…},"sender":{…}}}}}
//	201, the letter
//
// The last four are optional; product, mode and spectrum are required if auto_send is
// true. recipient and sender have name, street, number, pobox, zip, city and country
// (two letters); name, zip, city and country are required. An unknown member is 422.
//
//	GET    …/deliveries/letters/{id}        200, the letter
//	PATCH  …/deliveries/letters/{id}/send   {"data":{"id","type":"letters",
//	       "attributes":{"delivery_product","print_mode","print_spectrum"[,"meta_data"]}}}
//	       200, the letter, "submitted"; 403 unless it is "valid"
//	PATCH  …/deliveries/letters/{id}/cancel 202, empty; 403 unless it is "submitted"
//	       or "processing"
//	DELETE …/deliveries/letters/{id}        204; 403 while it is "validating",
//	       "submitted", "processing", "printing" or "cancelling"
//
// These are the calls that Aviso makes. Pingen has more; here they are 404.
//
// Idempotency-Key (1 to 64 characters) on POST and PATCH: for 24 hours, the same request
// with the same key returns the first response again, with the header
// Idempotent-Replayed: true. A different request with the same key is 422 (our
// choice: Pingen's documentation does not say), and 409 while the first is in progress.
//
// A letter:
//
//	{"id":uuid,"type":"letters","attributes":{"status","file_original_name",
//	 "file_pages","address","address_position","country","delivery_product",
//	 "print_mode","print_spectrum","source":"api","tracking_number","submitted_at",
//	 "created_at","updated_at"},"links":{"self"}}
//
// Unknown values are null. Pingen also tells the price, the paper and the fonts.
//
// # States of a letter
//
//	validating → valid | action_required | invalid       after 1 s
//	valid → submitted                                    by send or auto_send
//	submitted → processing → sent                        after 1 s and 2 s more
//	sent → delivered                                     after 2 s more, if registered
//	submitted, processing → cancelling → cancelled       by cancel, after 1 s
//	submitted, processing → rejected                     on command
//	sent → undeliverable                                 on command
//
// Validation checks that the file is a readable PDF without encryption (otherwise
// invalid), has 1 to 99 pages, all A4 portrait within 2 mm, and has text in the window of
// the envelope on its first page (otherwise action_required): 20–105 mm from the left
// edge (from 105 mm with address_position right) and 40–90 mm from the top, which is the
// zone of DIN 5008 forms A and B. That text is the letter's address; characters beyond
// U+00FF may be wrong. Validation does not check whether the address exists, nor fonts,
// margins and colours.
//
// # Webhooks
//
// Sent to <public address>/carriers/v1/pingen, for sent, delivered, issues
// (action_required, invalid, rejected) and undeliverable:
//
//	POST /carriers/v1/pingen
//	Content-Type: application/vnd.api+json
//	Signature: lower-case hex of HMAC-SHA256 over the body, keyed by the webhook's
//	  signing key (the text as it is)
//
//	{"data":{"type":"webhook_sent"|"webhook_delivered"|"webhook_issues"|
//	   "webhook_undeliverable","id":uuid,
//	   "attributes":{"reason": issues and undeliverable only,
//	     "corrected_address": null, undeliverable only, "url":…,"created_at":…},
//	   "relationships":{"organisation":{…},
//	     "deliverable":{"links":{"related":…},"data":{"type":"letters","id":…}},
//	     "letter": the same, "event":{"data":{"type":"deliverables_events","id":…}}}},
//	 "included":[the organisation, the letter, the event as deliverables_events,
//	   the event again as letters_events]}
//
// The event's attributes are code, name, producer, location, has_image, data,
// emitted_at, created_at and updated_at; code is one of
// transferred_to_distributor, delivered, undeliverable, content_failed_inspection,
// file_not_readable, file_not_a4_portrait, file_too_many_pages,
// address_not_found.
//
// Without a 2xx status within 10 s (redirects are not followed), the webhook is retried
// after 1, 5 and 10 minutes and 1, 2 and 4 hours, as Pingen does, with the same body.
// Registered letters get their tracking number when they are sent.
type PostOffice struct {
	*API
	credentials PostCredentials
}

var _ Driver = (*PostOffice)(nil)

// NewPostOffice returns a post office.
func NewPostOffice(p *Processor, credentials PostCredentials) *PostOffice {
	s := &PostOffice{credentials: credentials}
	s.API = NewAPI(p, Post, s)
	s.Mux.HandleFunc(PostPath+"/identity/auth/access-tokens", s.token)
	s.Mux.HandleFunc("PUT "+PostPath+"/uploads/{upload}", s.upload)
	s.Serve(PostPath+"/file-upload", Methods{"GET": s.fileUpload})
	const letters = "/organisations/{org}/deliveries/letters"
	s.organisation(letters, Methods{"POST": s.idempotent(s.create)})
	s.organisation(letters+"/{letter}",
		Methods{"GET": withLetter(s, s.show), "DELETE": withLetter(s, s.remove)})
	s.organisation(letters+"/{letter}/send", Methods{"PATCH": s.idempotent(withLetter(s, s.send))})
	s.organisation(letters+"/{letter}/cancel", Methods{"PATCH": s.idempotent(withLetter(s, s.cancel))})
	return s
}

// ServeHTTP implements http.Handler.
func (s *PostOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", s.NewID())
	s.API.ServeHTTP(w, r)
}

// organisation handles a resource of the only organisation.
func (s *PostOffice) organisation(path string, m Methods) {
	for method, call := range m {
		m[method] = func(r *http.Request) (Reply, error) {
			if r.PathValue("org") != s.credentials.OrganisationID {
				return Reply{}, outcome.ErrNotFound
			}
			return call(r)
		}
	}
	s.Serve(PostPath+path, m)
}

// withLetter loads the letter in the path for a call.
func withLetter[A any](
	s *PostOffice, call func(*http.Request, Letter) (A, error),
) func(*http.Request) (A, error) {
	return func(r *http.Request) (A, error) {
		l, err := s.Letter(r, r.PathValue("letter"))
		if err != nil {
			return *new(A), err
		}
		return call(r, l)
	}
}

// mediaType is the media type of JSON:API.
const mediaType = "application/vnd.api+json"

// ErrorReply formats an error as Pingen does.
func (s *PostOffice) ErrorReply(e *APIError) Reply {
	title := http.StatusText(e.Status)
	switch e.Status {
	case http.StatusUnauthorized:
		title = "Unauthenticated"
	case http.StatusRequestEntityTooLarge:
		title = "Payload Too Large"
	case http.StatusInternalServerError:
		title = "PostOffice Error"
	}
	return JSON(e.Status, mediaType, map[string]any{"errors": []map[string]any{{
		"code": strconv.Itoa(e.Status), "title": title, "detail": e.Text,
		"source": map[string]string{"pointer": e.Field, "parameter": ""},
	}}})
}

func wrongState(detail string) error { return NewError(http.StatusForbidden, detail) }

// Next validates a letter, as the package comment describes. All else takes its usual way.
func (s *PostOffice) Next(l *Letter, document []byte) []Outcome {
	if l.State != "validating" {
		return nil
	}
	sheet, err := Inspect(document)
	var window string
	if err == nil {
		l.Pages = sheet.Pages
		window, err = Window(document, l.Posted.AddressPosition == "right")
	}
	l.To = addressee(window)
	refuse := func(code, reason string) []Outcome {
		return []Outcome{{State: "action_required", Code: code, Reason: reason}}
	}
	switch {
	case err != nil:
		return []Outcome{{State: "invalid"}}
	case l.Fate == Reject:
		return refuse("", "")
	case sheet.Pages > maxPages:
		return refuse("file_too_many_pages", "Page limit exceeded")
	case !sheet.A4:
		return refuse("file_not_a4_portrait", "File is not A4 portrait")
	case window == "":
		return refuse("address_not_found", "Address not found")
	case l.Posted.AutoSend:
		return []Outcome{{State: "valid"}, {State: "submitted"}}
	}
	return nil
}

// maxPages is the maximum number of pages in a letter.
const maxPages = 99

// addressee removes the sender's return line, which is one line above the address with
// parts separated by dots.
func addressee(window string) string {
	first, rest, more := strings.Cut(window, "\n")
	if more && strings.Contains(first, " · ") {
		return rest
	}
	return window
}

// Enter gives a letter its time of submission and its number.
func (s *PostOffice) Enter(l *Letter, _ *Outcome) {
	switch {
	case l.State == "submitted":
		l.SubmittedAt = l.UpdatedAt
	case l.State == "sent" && l.How == RegisteredMail:
		l.Posted.TrackingNumber = trackingNumber(l.ID)
	}
}

// trackingNumber returns a number in the format of Swiss Post.
func trackingNumber(id string) string {
	sum := sha256.Sum256([]byte(id))
	n := binary.BigEndian.Uint64(sum[:8])
	return fmt.Sprintf("98.%02d.%06d.%08d", n%100, n/100%1_000_000, n/100_000_000%100_000_000)
}

// create creates a letter from an uploaded file.
func (s *PostOffice) create(r *http.Request) (change, error) {
	var a attributes
	if err := readBody(r, "", &a); err != nil {
		return change{}, err
	}
	if err := a.check(); err != nil {
		return change{}, err
	}
	l := Letter{
		HasFile: true, Base: s.Base(r), FileName: *a.FileName,
		CancellationID: FindCancellation(*a.FileName), Partner: FindPartner(*a.FileName),
		Posted: Posted{AutoSend: *a.AutoSend, AddressPosition: *a.AddressPosition},
	}
	a.apply(&l)
	upload, err := s.uploaded(r, *a.FileURL, *a.Signature)
	if err != nil {
		return change{}, err
	}
	l.Posted.Upload = upload.LetterID
	if err := s.New(r, &l, "validating"); err != nil {
		return change{}, err
	}
	return change{l, upload.Content, http.StatusCreated}, nil
}

// send prints and sends a valid letter.
func (s *PostOffice) send(r *http.Request, l Letter) (change, error) {
	var p printing
	if err := readBody(r, l.ID, &p); err != nil {
		return change{}, err
	}
	if err := p.check(true); err != nil {
		return change{}, err
	}
	p.apply(&l)
	if l.State != "valid" {
		return change{}, wrongState("Only a valid letter can be sent.")
	}
	return s.enter(r, l, "submitted", http.StatusOK), nil
}

// cancel stops a letter that has not been printed yet.
func (s *PostOffice) cancel(r *http.Request, l Letter) (change, error) {
	if !OneOf(string(l.State), "submitted processing") {
		return change{}, wrongState("The letter cannot be cancelled in its current state.")
	}
	l.HeldUntil = l.CreatedAt
	return s.enter(r, l, "cancelling", http.StatusAccepted), nil
}

func (s *PostOffice) enter(r *http.Request, l Letter, state State, status int) change {
	s.Processor.Enter(&l, s.TimeOf(r.Context(), l), Outcome{State: state})
	return change{letter: l, status: status}
}

func (s *PostOffice) show(_ *http.Request, l Letter) (Reply, error) {
	return s.reply(http.StatusOK, l), nil
}

// reply returns a letter as a response.
func (s *PostOffice) reply(status int, l Letter) Reply {
	return JSON(status, mediaType, map[string]any{"data": s.resource(l), "included": []any{}})
}

// remove deletes a letter with its document and all that was answered about it.
func (s *PostOffice) remove(r *http.Request, l Letter) (Reply, error) {
	if !l.Lost() && OneOf(string(l.State), "validating submitted processing printing cancelling") {
		return Reply{}, wrongState("The letter cannot be deleted in its current state.")
	}
	records := []sandboxdb.Record{l, Document{LetterID: l.ID}, Document{LetterID: l.Posted.Upload}}
	for _, key := range l.Posted.Answers {
		records = append(records, Answer{ID: key})
	}
	return Reply{Status: http.StatusNoContent}, s.Store.Delete(r.Context(), records...)
}
