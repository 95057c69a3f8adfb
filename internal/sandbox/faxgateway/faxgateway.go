// Package faxgateway is the sandbox's fax carrier: an HTTP server that implements the
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
//	POST /sandbox/fax/v3/projects/{projectId}/faxes
//
// with multipart/form-data:
//
//	to=+4930123456       E.164
//	file=…               a part with a file name, at most one in the sandbox
//	labels={"key":"value"} or labels[key]=value
//	and the members below as text
//
// or application/json:
//
//	{"to":"+4930123456" or an array of one,
//	 "files":[{"file":base64,"fileType":"PDF"}] at most one in the sandbox,
//	 "contentUrl":"https://…" or an array,
//	 "from":"+49…", "labels":{"key":"value"},
//	 "callbackUrl":"https://[user:password@]…",
//	 "callbackUrlContentType":"multipart/form-data" (default)|"application/json",
//	 "maxRetries":0–5 (default 3), "retryDelaySeconds":30–300 (default 60),
//	 "headerText": at most 50 characters, "headerPageNumbers":bool,
//	 "headerTimeZone":…, "imageConversionMethod":"HALFTONE"|"MONOCHROME",
//	 "resolution":"FINE"|"SUPERFINE", "serviceId":…, "coverPageId":…,
//	 "coverPageData":{…}, "inProgressNotifications":bool}
//
// The response is 200 with the fax, "QUEUED". The sandbox is stricter than Sinch: one
// recipient and one document per fax (otherwise 422); a document of at most 300 KB
// (otherwise 413); nothing is fetched from a contentUrl, and such a fax fails with
// DOCUMENT_CONVERSION_ERROR 54; a document that is not a PDF fails with 129; and
// callbackUrl must point to this environment (otherwise 422), so that the sandbox sends
// documents nowhere else. An unknown member is 422.
//
//	GET    …/faxes?createTime=…&direction=OUTBOUND&status=COMPLETED&to=+4930&from=…
//	       &serviceId=…&labels[key]=value&pageSize=100&page=1
//	200 {"faxes":[…],"pageNumber":1,"totalPages":1,"pageSize":100,"totalItems":1},
//	newest first. to and from match prefixes. createTime is a year, month, day
//	or time, also with <= and >= (createTime>=2026-11-01); the default is the last
//	week. pageSize is 1–1000.
//	GET    …/faxes/{id}             200, the fax
//	GET    …/faxes/{id}/file        200 application/pdf, also under file.pdf; 404
//	                                when it has been deleted
//	DELETE …/faxes/{id}/file        204; the fax itself remains, without its document
//
// A fax:
//
//	{"id": 26 characters (a ULID), "direction":"OUTBOUND", "from","to",
//	 "numberOfPages","status":"QUEUED"|"IN_PROGRESS"|"COMPLETED"|"FAILURE",
//	 "price":{"amount":"0.07","currencyCode":"EUR"} once it is complete,
//	 "createTime","completedTime","pagesSentSuccessfully","headerText",
//	 "headerPageNumbers","headerTimeZone","retryDelaySeconds","labels",
//	 "callbackUrl" with its credentials masked,"callbackUrlContentType",
//	 "imageConversionMethod","errorType","errorCode" (a number),"errorMessage",
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
// URL as HTTP Basic. Sinch does not sign callbacks. As application/json:
//
//	{"event":"FAX_COMPLETED","eventTime":…,"fax":{…},
//	 "files":[{"file":base64,"fileType":"PDF"}]}
//
// As multipart/form-data: the parts event and eventTime (text), fax
// (application/json) and file (application/pdf). Without a 2xx status within 10 s
// (redirects are not followed), the callback is retried after 5, 10, 20 and 30 minutes
// and then 12 times every 6 hours, as Sinch does.
package faxgateway

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// Path is the base path of the API.
const Path = "/sandbox/fax"

// Credentials are the credentials of the only project.
type Credentials struct{ ProjectID, KeyID, KeySecret string }

// Server is the fax gateway.
type Server struct {
	*mailroom.API
	credentials Credentials
}

var _ mailroom.Driver = (*Server)(nil)

// New returns a fax gateway.
func New(p *mailroom.Processor, credentials Credentials) *Server {
	s := &Server{credentials: credentials}
	s.API = mailroom.NewAPI(p, mailroom.Fax, s)
	const faxes = Path + "/v3/projects/{project}/faxes"
	s.Serve(faxes, mailroom.Methods{"POST": s.create, "GET": s.list})
	s.Serve(faxes+"/{fax}", mailroom.Methods{"GET": s.withFax(s.show)})
	s.Serve(faxes+"/{fax}/file", mailroom.Methods{"GET": s.withFax(s.file), "DELETE": s.withFax(s.deleteFile)})
	s.Serve(faxes+"/{fax}/file.pdf", mailroom.Methods{"GET": s.withFax(s.file)})
	return s
}

// Authenticate checks the key and the project.
func (s *Server) Authenticate(r *http.Request) error {
	key, secret, _ := r.BasicAuth()
	c := s.credentials
	if !mailroom.SecretsEqual(key, c.KeyID) || !mailroom.SecretsEqual(secret, c.KeySecret) ||
		r.PathValue("project") != c.ProjectID {
		return mailroom.NewError(http.StatusUnauthorized, "")
	}
	return nil
}

// ErrorReply formats an error as Sinch does.
func (s *Server) ErrorReply(e *mailroom.APIError) mailroom.Reply {
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
		return mailroom.Reply{Status: status}
	case http.StatusConflict: // Sinch does not use it
		return s.ErrorReply(&mailroom.APIError{Status: http.StatusInternalServerError})
	case http.StatusUnprocessableEntity:
		body["error"], body["message"] = "Invalid parameters", "A parameter is invalid."
		body["details"] = map[string]any{
			"fieldViolations": []any{map[string]string{"field": e.Field, "description": e.Text}},
		}
	default:
		body["error"], body["message"] = http.StatusText(status), cmp.Or(e.Text, texts[status])
	}
	body["code"] = strconv.Itoa(status)
	return mailroom.JSON(status, jsonType, body)
}

// invalid returns the error for an invalid field.
func invalid(field, description string) error {
	return mailroom.FieldError(http.StatusUnprocessableEntity, field, description)
}

func badRequest(message string) error { return mailroom.NewError(http.StatusBadRequest, message) }

// wireID formats an ID as Sinch does. A ULID and a UUID of version 7 both have 128 bits
// that begin with the time.
func wireID(id string) string { return ulid.ULID(uuid.MustParse(id)).String() }

// withFax loads the fax in the path for a call.
func (s *Server) withFax(call func(*http.Request, mailroom.Letter) (mailroom.Reply, error)) mailroom.Call {
	return func(r *http.Request) (mailroom.Reply, error) {
		id, err := ulid.ParseStrict(r.PathValue("fax"))
		if err != nil {
			return mailroom.Reply{}, outcome.ErrNotFound
		}
		l, err := s.Letter(r, uuid.UUID(id).String())
		if err != nil {
			return mailroom.Reply{}, err
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
	case "address":
		return "DOCUMENT_CONVERSION_ERROR", 54, "Could not access the url you provided."
	default:
		return "DOCUMENT_CONVERSION_ERROR", 129, "Mimetype not supported."
	}
}

// Next fails a fax without a document that can be sent. All else takes its usual way.
func (s *Server) Next(l *mailroom.Letter, _ []byte) []mailroom.Outcome {
	switch {
	case l.State != inProgress:
		return nil
	case len(l.Faxed.ContentURLs) > 0:
		return []mailroom.Outcome{{State: failure, Cause: "address"}}
	case l.Pages == 0:
		return []mailroom.Outcome{{State: failure, Cause: "document"}}
	}
	return nil
}

// Enter notes why a fax failed.
func (s *Server) Enter(l *mailroom.Letter, o *mailroom.Outcome) {
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
	queued     mailroom.State = "QUEUED"
	inProgress mailroom.State = "IN_PROGRESS"
	completed  mailroom.State = "COMPLETED"
	failure    mailroom.State = "FAILURE"
)

func (s *Server) ok(l mailroom.Letter) mailroom.Reply {
	return mailroom.JSON(http.StatusOK, jsonType, s.wire(l))
}

// create accepts a new fax.
func (s *Server) create(r *http.Request) (mailroom.Reply, error) {
	q, err := readRequest(r)
	if err != nil {
		return mailroom.Reply{}, err
	}
	l, err := q.letter(s.Base(r))
	if err != nil {
		return mailroom.Reply{}, err
	}
	if err := s.New(r, &l, queued); err != nil {
		return mailroom.Reply{}, err
	}
	var more []sandboxdb.Record
	if l.HasFile {
		// An unreadable document fails later, as it does at Sinch.
		if sheet, err := mailroom.Inspect(q.document); err == nil {
			l.Pages = sheet.Pages
		}
		more = append(more, mailroom.Document{LetterID: l.ID, Content: q.document, Forget: l.KeepUntil()})
	}
	return s.ok(l), s.Receive(r.Context(), l, more...)
}

func (s *Server) show(_ *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	return s.ok(l), nil
}

// file returns the document of a fax.
func (s *Server) file(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	d, err := sandboxdb.Get(r.Context(), s.Store.Store, mailroom.Document{LetterID: l.ID})
	return mailroom.Reply{Status: http.StatusOK, Body: d.Content, Header: map[string]string{
		"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="fax-` + wireID(l.ID) + `.pdf"`,
	}}, err
}

// deleteFile deletes the document and keeps the fax.
func (s *Server) deleteFile(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	if l.HasFile {
		l.HasFile = false
		if err := s.Store.Save(r.Context(), l); err != nil {
			return mailroom.Reply{}, err
		}
	}
	err := s.Store.Delete(r.Context(), mailroom.Document{LetterID: l.ID})
	return mailroom.Reply{Status: http.StatusNoContent}, err
}

// list returns a page of faxes.
func (s *Server) list(r *http.Request) (mailroom.Reply, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return mailroom.Reply{}, badRequest("The query is not valid.")
	}
	size, err := mailroom.PositiveInt(q, "pageSize", 100, 1000, http.StatusUnprocessableEntity)
	if err != nil {
		return mailroom.Reply{}, err
	}
	number, err := mailroom.PositiveInt(q, "page", 1, 1<<20, http.StatusUnprocessableEntity)
	if err != nil {
		return mailroom.Reply{}, err
	}
	wanted, err := readFilter(q, s.UserNow(r))
	if err != nil {
		return mailroom.Reply{}, err
	}
	letters, total, err := s.List(r, wanted, false, number, size)
	faxes := make([]wireFax, len(letters))
	for i, l := range letters {
		faxes[i] = s.wire(l)
	}
	return mailroom.JSON(http.StatusOK, jsonType, map[string]any{
		"faxes": faxes, "pageNumber": number, "pageSize": size, "totalItems": total,
		"totalPages": (total + size - 1) / size,
	}), err
}

// readFilter parses the filter of a list.
func readFilter(q url.Values, now time.Time) (func(mailroom.Letter) bool, error) {
	// The default is the last week.
	from, before := now.Add(-7*24*time.Hour), now.Add(24*time.Hour)
	labels := map[string]string{}
	for name, values := range q {
		value := values[0]
		switch {
		case name == "createTime", name == "createTime>", name == "createTime<":
			begin, end, err := span(value)
			if err != nil {
				return nil, err
			}
			switch name {
			case "createTime>":
				from = begin
			case "createTime<":
				before = end
				if !q.Has("createTime>") {
					from = time.Time{}
				}
			default:
				from, before = begin, end
			}
		case name == "direction" && !mailroom.OneOf(value, "OUTBOUND INBOUND"):
			return nil, invalid(name, "The value must be OUTBOUND or INBOUND.")
		case name == "status" && !mailroom.OneOf(value, string(queued+" "+inProgress+" "+completed+" "+failure)):
			return nil, invalid(name, "The status is unknown.")
		case strings.HasPrefix(name, "labels[") && strings.HasSuffix(name, "]"):
			labels[name[len("labels["):len(name)-1]] = value
		case !mailroom.OneOf(name, "direction status to from serviceId pageSize page"):
			return nil, invalid("", "The query has an unknown parameter.")
		}
	}
	return func(l mailroom.Letter) bool {
		for name, value := range labels {
			if l.Faxed.Labels[name] != value {
				return false
			}
		}
		return q.Get("direction") != "INBOUND" && (!q.Has("status") || q.Get("status") == string(l.State)) &&
			strings.HasPrefix(l.To, q.Get("to")) && strings.HasPrefix(l.Faxed.From, q.Get("from")) &&
			(!q.Has("serviceId") || q.Get("serviceId") == l.Faxed.ServiceID) &&
			!l.CreatedAt.Before(from) && l.CreatedAt.Before(before)
	}, nil
}

// span returns the period that a year, month, day or time stands for. A time stands for
// everything after it.
func span(value string) (begin, end time.Time, err error) {
	for layout, next := range map[string]func(time.Time) time.Time{
		"2006":       func(t time.Time) time.Time { return t.AddDate(1, 0, 0) },
		"2006-01":    func(t time.Time) time.Time { return t.AddDate(0, 1, 0) },
		"2006-01-02": func(t time.Time) time.Time { return t.AddDate(0, 0, 1) },
	} {
		if t, err := time.Parse(layout, value); err == nil {
			return t, next(t), nil
		}
	}
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return begin, end, invalid("createTime", "The value must be a year, month, day or time.")
	}
	return t, t.AddDate(100, 0, 0), nil
}

// wireFax is a fax in the API. Members that do not apply are omitted.
type wireFax struct {
	mailroom.Faxed
	ID                    string            `json:"id"`
	Direction             string            `json:"direction"`
	To                    string            `json:"to"`
	NumberOfPages         int               `json:"numberOfPages,omitempty"`
	Status                mailroom.State    `json:"status"`
	Price                 map[string]string `json:"price,omitempty"`
	CreateTime            time.Time         `json:"createTime"`
	CompletedTime         time.Time         `json:"completedTime,omitzero"`
	PagesSentSuccessfully int               `json:"pagesSentSuccessfully,omitempty"`
	HeaderPageNumbers     bool              `json:"headerPageNumbers"`
	HasFile               bool              `json:"hasFile"`
	ProjectID             string            `json:"projectId"`
}

func (s *Server) wire(l mailroom.Letter) wireFax {
	w := wireFax{
		Faxed: l.Faxed, ID: wireID(l.ID), Direction: "OUTBOUND", To: l.To, NumberOfPages: l.Pages, Status: l.State,
		CreateTime: l.CreatedAt, CompletedTime: l.CompletedAt, HeaderPageNumbers: !l.Faxed.PlainHeader,
		HasFile:   l.HasFile,
		ProjectID: s.credentials.ProjectID,
	}
	if w.CallbackURL == "" {
		w.CallbackType = ""
	}
	w.CallbackURL = masked(w.CallbackURL)
	if !l.CompletedAt.IsZero() {
		w.Price = map[string]string{"amount": "0.07", "currencyCode": "EUR"}
	}
	if l.State == completed {
		w.PagesSentSuccessfully = l.Pages
	}
	return w
}

// masked hides the credentials in a URL.
func masked(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.Scheme + "://***:***@" + u.Host + u.RequestURI()
}
