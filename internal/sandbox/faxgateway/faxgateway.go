package faxgateway

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
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
func New(opts mailroom.Options, credentials Credentials) *Server {
	s := &Server{credentials: credentials}
	s.API = mailroom.NewAPI(opts, mailroom.Fax, s)
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

type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
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
		body["details"] = map[string]any{"fieldViolations": []violation{{e.Field, e.Text}}}
	default:
		body["error"], body["message"] = http.StatusText(status), cmp.Or(e.Text, texts[status])
	}
	body["code"] = strconv.Itoa(status)
	return mailroom.JSON(status, jsonType, body)
}

// invalid returns the error for an invalid field.
func invalid(field, description string) error {
	return &mailroom.APIError{Status: http.StatusUnprocessableEntity, Field: field, Text: description}
}

func badRequest(message string) error { return mailroom.NewError(http.StatusBadRequest, message) }

func tooLarge() error {
	return mailroom.NewError(http.StatusRequestEntityTooLarge, "The sandbox accepts documents of at most 300 KB.")
}

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
