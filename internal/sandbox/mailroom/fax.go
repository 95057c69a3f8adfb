package mailroom

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"aviso/internal/outcome"
)

// FaxPath is the base path of the fax gateway.
const FaxPath = "/sandbox/fax"

// FaxCredentials are the credentials of the only project.
type FaxCredentials struct{ ProjectID, KeyID, KeySecret string }

// FaxGateway is the sandbox's fax carrier: an HTTP server that implements the
// Sinch Fax API v3, so that outside production the service runs the same client code as
// in production. It rejects what the real API rejects, in the same format.
//
// Source: the OpenAPI document of the Fax API 3.0
// (developers.sinch.com/docs/fax/api-reference) with its pages on errors and
// notifications.
//
// # Address and authentication
//
//	https://fax.api.sinch.com → /sandbox/fax
//
// HTTP Basic with key ID and key secret. If they are missing or wrong, or for another
// project, the response is 401 with an empty body.
//
// # Calls
//
// These are the calls and members that Aviso uses. Anything else is refused as unknown.
//
//	POST /sandbox/fax/v3/projects/{projectId}/faxes
//	Content-Type: application/json
//
//	{"to":"+4930123456" (E.164),
//	 "files":[{"file":base64,"fileType":"PDF"}] one in the sandbox,
//	 "from":"+49…", "labels":{"key":"value"}, "callbackUrl":"https://…",
//	 "callbackUrlContentType":"application/json", "maxRetries":0–5 (default 3),
//	 "headerTimeZone":…, "resolution":"FINE"|"SUPERFINE", "serviceId":…}
//
// The response is 200 with the fax, "QUEUED". The sandbox is stricter than Sinch: one
// document per fax, of at most 300 KB (otherwise 413); a document that is not a PDF fails with
// 129; and callbackUrl must point to this environment (otherwise 422), so that the sandbox sends
// documents nowhere else.
//
//	GET    …/faxes?createTime=2026-11-20&direction=OUTBOUND&to=+4930&pageSize=100
//	200 {"faxes":[…],"pageNumber":1,"totalPages":1,"pageSize":1,"totalItems":1},
//	newest first. to matches a prefix, createTime a day. All faxes are on one page.
//	GET    …/faxes/{id}             200, the fax
//	DELETE …/faxes/{id}/file        204; unlike Sinch, the sandbox deletes the fax, too
//
// A fax:
//
//	{"id": 26 characters (a ULID), "direction":"OUTBOUND", "from","to",
//	 "numberOfPages","status":"QUEUED"|"IN_PROGRESS"|"COMPLETED"|"FAILURE",
//	 "createTime","completedTime","headerTimeZone","labels","callbackUrl" without its password,
//	 "callbackUrlContentType",
//	 "errorType","errorCode" (a number),"errorMessage",
//	 "maxRetries","retryCount","hasFile","resolution","projectId","serviceId"}
//
// Members that do not apply are omitted. Times are RFC 3339 in UTC.
//
// Errors are 400, 401 (empty), 404, 405, 413, 415, 422, 429 (with Retry-After)
// and 500:
//
//	{"code":"422","error":"Invalid parameters","message":"…",
//	 "details":{"fieldViolations":[{"field":"to","description":"…"}]}}
//
// # States of a fax
//
//	QUEUED → IN_PROGRESS             after 1 s
//	IN_PROGRESS → COMPLETED          after 2 s more
//	IN_PROGRESS → FAILURE            on command: CALL_ERROR 34 (rejected), or
//	                                 CALL_ERROR 17 after all retries (bounced),
//	                                 without waiting for them
//
// # Callback
//
// POST to callbackUrl when a fax is complete or has failed, with the credentials of the
// URL as HTTP Basic. Sinch does not sign callbacks.
//
//	{"event":"FAX_COMPLETED","eventTime":…,"fax":{…},
//	 "files":[{"file":base64,"fileType":"PDF"}]}
//
// Without a 2xx status within 10 s (redirects are not followed), the callback is retried after 5,
// 10, 20 and 30 minutes and then 12 times every 6 hours, as Sinch does.
type FaxGateway struct {
	*API
	credentials FaxCredentials
}

var _ Driver = (*FaxGateway)(nil)

// NewFaxGateway returns a fax gateway.
func NewFaxGateway(p *Processor, credentials FaxCredentials) *FaxGateway {
	s := &FaxGateway{credentials: credentials}
	s.API = NewAPI(p, Fax, s)
	const faxes = FaxPath + "/v3/projects/{project}/faxes"
	s.Serve(faxes, Methods{"POST": s.create, "GET": s.list})
	s.Serve(faxes+"/{fax}", Methods{"GET": s.withFax(s.show)})
	s.Serve(faxes+"/{fax}/file", Methods{"DELETE": s.withFax(s.deleteFile)})
	return s
}

// Authenticate checks the key and the project.
func (s *FaxGateway) Authenticate(r *http.Request) error {
	key, secret, _ := r.BasicAuth()
	c := s.credentials
	if !SecretsEqual(key, c.KeyID) || !SecretsEqual(secret, c.KeySecret) ||
		r.PathValue("project") != c.ProjectID {
		return NewError(http.StatusUnauthorized, "")
	}
	return nil
}

// ErrorReply formats an error as Sinch does.
func (s *FaxGateway) ErrorReply(e *APIError) Reply {
	status := e.Status
	texts := map[int]string{
		http.StatusNotFound:            "The resource is not found, not available, or does not exist.",
		http.StatusMethodNotAllowed:    "The method is not allowed.",
		http.StatusTooManyRequests:     "Rate limit exceeded, please back off and try again later.",
		http.StatusInternalServerError: "Most likely a temporary issue, please try again later.",
	}
	body := map[string]any{}
	switch status {
	case http.StatusUnauthorized:
		return Reply{Status: status}
	case http.StatusConflict: // Sinch does not use it
		return s.ErrorReply(&APIError{Status: http.StatusInternalServerError})
	case http.StatusUnprocessableEntity:
		body["error"], body["message"] = "Invalid parameters", "A parameter is invalid."
		body["details"] = map[string]any{
			"fieldViolations": []any{map[string]string{"field": e.Field, "description": e.Text}},
		}
	default:
		body["error"], body["message"] = http.StatusText(status), cmp.Or(e.Text, texts[status])
	}
	body["code"] = strconv.Itoa(status)
	return JSON(status, jsonType, body)
}

// invalidFax returns the error for an invalid field.
func invalidFax(field, description string) error {
	return FieldError(http.StatusUnprocessableEntity, field, description)
}

func badRequest(message string) error { return NewError(http.StatusBadRequest, message) }

// wireID formats an ID as Sinch does. A ULID and a UUID of version 7 both have 128 bits
// that begin with the time.
func wireID(id string) string { return ulid.ULID(uuid.MustParse(id)).String() }

// withFax loads the fax in the path for a call.
func (s *FaxGateway) withFax(
	call func(*http.Request, Letter) (Reply, error),
) func(*http.Request) (Reply, error) {
	return func(r *http.Request) (Reply, error) {
		id, err := ulid.ParseStrict(r.PathValue("fax"))
		if err != nil {
			return Reply{}, outcome.ErrNotFound
		}
		l, err := s.Letter(r, uuid.UUID(id).String())
		if err != nil {
			return Reply{}, err
		}
		return call(r, l)
	}
}

// failures are why faxes fail: by a developer's choice, or because of their document.
func failures(cause string) (kind string, code int, message string) {
	switch cause {
	case "reject":
		return "CALL_ERROR", 34, "Phone number not operational"
	case "bounce":
		return "CALL_ERROR", 17, "Busy"
	default:
		return "DOCUMENT_CONVERSION_ERROR", 129, "Mimetype not supported."
	}
}

// Next fails a fax without a document that can be sent. All else takes its usual way.
func (s *FaxGateway) Next(l *Letter, _ []byte) []Outcome {
	if l.State == inProgress && l.Pages == 0 {
		return []Outcome{{State: failure, Cause: "document"}}
	}
	return nil
}

// Enter notes why a fax failed.
func (s *FaxGateway) Enter(l *Letter, o *Outcome) {
	if o.State != failure {
		return
	}
	f := &l.Faxed
	f.ErrorType, f.ErrorCode, f.ErrorMessage = failures(o.Cause)
	o.Reason = f.ErrorMessage
	if o.Cause == "bounce" { // after all retries
		f.RetryCount = f.MaxRetries
	}
}

// These are the states of a fax, as Sinch calls them.
const (
	queued     State = "QUEUED"
	inProgress State = "IN_PROGRESS"
	failure    State = "FAILURE"
)

func (s *FaxGateway) ok(l Letter) Reply {
	return JSON(http.StatusOK, jsonType, s.wire(l))
}

// create accepts a new fax.
func (s *FaxGateway) create(r *http.Request) (Reply, error) {
	q, err := readRequest(r)
	if err != nil {
		return Reply{}, err
	}
	l, err := q.letter(s.Base(r))
	if err != nil {
		return Reply{}, err
	}
	if err := s.New(r, &l, queued); err != nil {
		return Reply{}, err
	}
	content := q.Files[0].File
	// An unreadable document fails later, as it does at Sinch.
	if sheet, err := Inspect(content); err == nil {
		l.Pages = sheet.Pages
	}
	document := Document{LetterID: l.ID, Content: content, Forget: l.KeepUntil()}
	return s.ok(l), s.Put(r.Context(), l, document)
}

func (s *FaxGateway) show(_ *http.Request, l Letter) (Reply, error) {
	return s.ok(l), nil
}

// deleteFile deletes the document, and all that the sandbox shows of the fax: its labels and
// number tell of a user who may have been erased.
func (s *FaxGateway) deleteFile(r *http.Request, l Letter) (Reply, error) {
	err := s.Store.Delete(r.Context(), l, Document{LetterID: l.ID})
	return Reply{Status: http.StatusNoContent}, err
}

// list returns the faxes to a number on a day. A sandbox sends few, so there is one page.
func (s *FaxGateway) list(r *http.Request) (Reply, error) {
	q := r.URL.Query()
	day, err := time.Parse(time.DateOnly, q.Get("createTime"))
	if err != nil {
		return Reply{}, invalidFax("createTime", "The value must be a day.")
	}
	for name := range q {
		if !OneOf(name, "createTime direction to pageSize") {
			return Reply{}, invalidFax("", "The query has an unknown parameter.")
		}
	}
	letters, err := s.List(r, func(l Letter) bool {
		return strings.HasPrefix(l.To, q.Get("to")) && l.CreatedAt.UTC().Truncate(24*time.Hour).Equal(day)
	})
	faxes := make([]wireFax, len(letters))
	for i, l := range letters {
		faxes[i] = s.wire(l)
	}
	return JSON(http.StatusOK, jsonType, map[string]any{
		"faxes": faxes, "pageNumber": 1, "pageSize": len(faxes), "totalItems": len(faxes), "totalPages": 1,
	}), err
}

// wireFax is a fax in the API. Members that do not apply are omitted.
type wireFax struct {
	Faxed
	ID            string    `json:"id"`
	Direction     string    `json:"direction"`
	To            string    `json:"to"`
	NumberOfPages int       `json:"numberOfPages,omitempty"`
	Status        State     `json:"status"`
	CreateTime    time.Time `json:"createTime"`
	CompletedTime time.Time `json:"completedTime,omitzero"`
	HasFile       bool      `json:"hasFile"`
	ProjectID     string    `json:"projectId"`
}

func (s *FaxGateway) wire(l Letter) wireFax {
	w := wireFax{
		Faxed: l.Faxed, ID: wireID(l.ID), Direction: "OUTBOUND", To: l.To, NumberOfPages: l.Pages, Status: l.State,
		CreateTime: l.CreatedAt, CompletedTime: l.CompletedAt, HasFile: l.HasFile, ProjectID: s.credentials.ProjectID,
	}
	if w.CallbackURL == "" {
		w.CallbackType = ""
	}
	if u, err := url.Parse(w.CallbackURL); err == nil {
		w.CallbackURL = u.Redacted()
	}
	return w
}

// RetryDelays returns how long Sinch waits after each attempt.
func (*FaxGateway) RetryDelays() []time.Duration {
	return append([]time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute},
		slices.Repeat([]time.Duration{6 * time.Hour}, 12)...)
}

// Callback returns the callback for a notice.
func (s *FaxGateway) Callback(l Letter, n Notice, document []byte) Call {
	files := []file{}
	if len(document) > 0 {
		files = append(files, file{document, "PDF"})
	}
	body := Encode(map[string]any{
		"event": n.Event, "eventTime": n.At.UTC().Format(time.RFC3339), "fax": s.wire(l), "files": files,
	})
	// The client sends the credentials of the address as HTTP Basic.
	return Call{URL: l.Faxed.CallbackURL, Header: map[string]string{"Content-Type": jsonType}, Body: body}
}
