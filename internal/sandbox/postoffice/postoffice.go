package postoffice

import (
	"net/http"
	"strconv"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// Path is the base path of the API.
const Path = "/sandbox/post"

// Credentials are the credentials of the only organisation.
type Credentials struct {
	ClientID, ClientSecret string
	// OrganisationID is a UUID.
	OrganisationID string
	// WebhookSecret is the signing key for webhooks.
	WebhookSecret string
}

// Server is the post office.
type Server struct {
	*mailroom.API
	credentials Credentials
}

var _ mailroom.Driver = (*Server)(nil)

// New returns a post office.
func New(opts mailroom.Options, credentials Credentials) *Server {
	s := &Server{credentials: credentials}
	s.API = mailroom.NewAPI(opts, mailroom.Post, s)
	s.Mux.HandleFunc(Path+"/identity/auth/access-tokens", s.token)
	s.store("PUT "+Path+"/uploads/{upload}", s.upload)
	s.store("GET "+Path+"/files/{letter}", s.download)
	s.Serve(Path+"/file-upload", mailroom.Methods{"GET": s.fileUpload})
	// The documented paths, and the older ones that Pingen still supports.
	for _, base := range []string{"/organisations/{org}/deliveries/letters", "/organisations/{org}/letters"} {
		s.organisation(base, mailroom.Methods{"GET": s.list, "POST": s.idempotent(s.create)})
		s.organisation(base+"/{letter}",
			mailroom.Methods{"GET": withLetter(s, s.show), "DELETE": withLetter(s, s.remove)})
		s.organisation(base+"/{letter}/send", mailroom.Methods{"PATCH": s.idempotent(withLetter(s, s.send))})
		s.organisation(base+"/{letter}/cancel", mailroom.Methods{"PATCH": s.idempotent(withLetter(s, s.cancel))})
		s.organisation(base+"/{letter}/file", mailroom.Methods{"GET": withLetter(s, s.file)})
	}
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", s.NewID())
	s.API.ServeHTTP(w, r)
}

// organisation handles a resource of the only organisation.
func (s *Server) organisation(path string, m mailroom.Methods) {
	for method, call := range m {
		m[method] = func(r *http.Request) (mailroom.Reply, error) {
			if r.PathValue("org") != s.credentials.OrganisationID {
				return mailroom.Reply{}, outcome.ErrNotFound
			}
			return call(r)
		}
	}
	s.Serve(Path+path, m)
}

// withLetter loads the letter in the path for a call.
func withLetter[A any](s *Server, call func(*http.Request, mailroom.Letter) (A, error)) func(*http.Request) (A, error) {
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
func (s *Server) ErrorReply(e *mailroom.APIError) mailroom.Reply {
	title := http.StatusText(e.Status)
	switch e.Status {
	case http.StatusUnauthorized:
		title = "Unauthenticated"
	case http.StatusRequestEntityTooLarge:
		title = "Payload Too Large"
	case http.StatusInternalServerError:
		title = "Server Error"
	}
	return mailroom.JSON(e.Status, mediaType, map[string]any{"errors": []map[string]any{{
		"code": strconv.Itoa(e.Status), "title": title, "detail": e.Text,
		"source": map[string]string{"pointer": e.Field, "parameter": e.Parameter},
	}}})
}

func badRequest(detail string) error { return mailroom.NewError(http.StatusBadRequest, detail) }

func badParameter(name, detail string) error {
	return &mailroom.APIError{Status: http.StatusBadRequest, Text: detail, Parameter: name}
}

func invalid(attribute, detail string) error {
	field := "/data/attributes/" + attribute
	return &mailroom.APIError{Status: http.StatusUnprocessableEntity, Text: detail, Field: field}
}

func wrongState(detail string) error { return mailroom.NewError(http.StatusForbidden, detail) }

func conflict(pointer, detail string) error {
	return &mailroom.APIError{Status: http.StatusConflict, Text: detail, Field: pointer}
}
