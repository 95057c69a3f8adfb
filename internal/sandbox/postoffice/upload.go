package postoffice

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// How long addresses are good for.
const (
	uploadLife   = time.Hour
	downloadLife = 5 * time.Minute
)

// fileUpload gives an address for a file.
func (s *Server) fileUpload(r *http.Request) (mailroom.Reply, error) {
	id, until := s.NewID(), s.Now().Add(uploadLife)
	address := s.Base(r) + s.signed(Path+"/uploads/"+id, until)
	return mailroom.JSON(http.StatusOK, mediaType, map[string]any{"data": map[string]any{
		"id": id, "type": "file_uploads",
		"attributes": map[string]string{"url": address, "url_signature": s.sign("upload", address), "expires_at": timestamp(until)},
		"links":      map[string]string{"self": s.Base(r) + Path + "/file-upload"},
	}}), nil
}

// fault is an error of the object store.
type fault struct {
	XMLName xml.Name `xml:"Error"`
	Code    string
	Message string
	status  int
}

func (f *fault) Error() string { return f.Code }

func faulty(status int, code, message string) error {
	return &fault{Code: code, Message: message, status: status}
}

// store answers at signed addresses, as an object store does.
func (s *Server) store(pattern string, call func(w http.ResponseWriter, r *http.Request) error) {
	s.Mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		err := faulty(http.StatusForbidden, "AccessDenied", "The address is not signed, or has expired.")
		if s.genuine(r.URL.Path, q.Get("expires"), q.Get("signature")) {
			err = call(w, r)
		}
		if err == nil {
			return
		}
		no, known := errors.AsType[*fault](err)
		if !known {
			s.Failed(r, err)
			no = &fault{Code: "InternalError", Message: "Please try again.", status: http.StatusInternalServerError}
		}
		b, err := xml.Marshal(no)
		if err != nil {
			panic("postoffice: " + err.Error()) // two texts marshal
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(no.status)
		_, _ = w.Write(append([]byte(xml.Header), b...))
	})
}

// upload takes a file.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mailroom.MaxDocument))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return faulty(http.StatusRequestEntityTooLarge, "EntityTooLarge", "The sandbox takes files of at most 300 KB.")
	}
	if err != nil {
		return faulty(http.StatusBadRequest, "IncompleteBody", "The body broke off.")
	}
	if !mailroom.LooksLikePDF(content) {
		return faulty(http.StatusBadRequest, "InvalidRequest", "The file is no PDF.")
	}
	return s.Processor.Store.Save(r.Context(), mailroom.Upload{ID: r.PathValue("upload"), Content: content, Forget: s.Now().Add(uploadLife)})
}

// download gives a document.
func (s *Server) download(w http.ResponseWriter, r *http.Request) error {
	d, err := s.Processor.Store.Document(r.Context(), r.PathValue("letter"))
	if errors.Is(err, outcome.ErrNotFound) {
		return faulty(http.StatusNotFound, "NoSuchKey", "The file is gone.")
	}
	if err == nil {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(d.Content)
	}
	return err
}

// uploaded is the file at an address that fileUpload gave.
func (s *Server) uploaded(r *http.Request, address, signature string) (mailroom.Upload, error) {
	u, err := url.Parse(address)
	if err != nil || !mailroom.SecretsEqual(signature, s.sign("upload", address)) {
		return mailroom.Upload{}, invalid("file_url_signature", "The signature does not fit the address.")
	}
	id, _ := strings.CutPrefix(u.Path, Path+"/uploads/")
	upload, err := s.Processor.Store.Upload(r.Context(), id)
	if errors.Is(err, outcome.ErrNotFound) {
		return upload, invalid("file_url", "Nothing was uploaded to the address.")
	}
	if err != nil {
		return upload, fmt.Errorf("read upload: %w", err)
	}
	return upload, nil
}

// file leads to a letter's document.
func (s *Server) file(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	address := s.Base(r) + s.signed(Path+"/files/"+l.ID, s.Now().Add(downloadLife))
	return mailroom.Reply{Status: http.StatusFound, Header: map[string]string{"Location": address}}, nil
}
