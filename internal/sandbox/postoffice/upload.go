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

// uploadLife and downloadLife are how long signed URLs are valid.
const (
	uploadLife   = time.Hour
	downloadLife = 5 * time.Minute
)

// fileUpload returns a URL to upload a file to.
func (s *Server) fileUpload(r *http.Request) (mailroom.Reply, error) {
	id, until := s.NewID(), s.Now().Add(uploadLife)
	address := s.Base(r) + s.signedPath(Path+"/uploads/"+id, until)
	return mailroom.JSON(http.StatusOK, mediaType, map[string]any{"data": map[string]any{
		"id": id, "type": "file_uploads",
		"attributes": map[string]string{"url": address, "url_signature": s.sign("upload", address),
			"expires_at": timestamp(until)},
		"links": map[string]string{"self": s.Base(r) + Path + "/file-upload"},
	}}), nil
}

// storeError is an error of the object store.
type storeError struct {
	XMLName xml.Name `xml:"Error"`
	Code    string
	Message string
	status  int
}

func (e *storeError) Error() string { return e.Code }

func newStoreError(status int, code, message string) error {
	return &storeError{Code: code, Message: message, status: status}
}

// store handles signed URLs, as an object store does.
func (s *Server) store(pattern string, call func(w http.ResponseWriter, r *http.Request) error) {
	s.Mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		err := newStoreError(http.StatusForbidden, "AccessDenied", "The URL is not signed, or has expired.")
		if s.verifyPath(r.URL.Path, q.Get("expires"), q.Get("signature")) {
			err = call(w, r)
		}
		if err == nil {
			return
		}
		e, known := errors.AsType[*storeError](err)
		if !known {
			s.LogFailure(r, err)
			e = &storeError{Code: "InternalError", Message: "Please try again.", status: http.StatusInternalServerError}
		}
		b, err := xml.Marshal(e)
		if err != nil {
			panic("postoffice: " + err.Error()) // two strings always marshal
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(e.status)
		_, _ = w.Write(append([]byte(xml.Header), b...))
	})
}

// upload stores a file.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mailroom.MaxDocument))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return newStoreError(http.StatusRequestEntityTooLarge, "EntityTooLarge",
			"The sandbox accepts files of at most 300 KB.")
	}
	if err != nil {
		return newStoreError(http.StatusBadRequest, "IncompleteBody", "The body is incomplete.")
	}
	if !mailroom.LooksLikePDF(content) {
		return newStoreError(http.StatusBadRequest, "InvalidRequest", "The file is not a PDF.")
	}
	return s.Processor.Store.Save(r.Context(),
		mailroom.Upload{ID: r.PathValue("upload"), Content: content, Forget: s.Now().Add(uploadLife)})
}

// download returns a document.
func (s *Server) download(w http.ResponseWriter, r *http.Request) error {
	d, err := s.Processor.Store.Document(r.Context(), r.PathValue("letter"))
	if errors.Is(err, outcome.ErrNotFound) {
		return newStoreError(http.StatusNotFound, "NoSuchKey", "The file does not exist.")
	}
	if err == nil {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(d.Content)
	}
	return err
}

// uploaded returns the file at a URL from fileUpload.
func (s *Server) uploaded(r *http.Request, address, signature string) (mailroom.Upload, error) {
	u, err := url.Parse(address)
	if err != nil || !mailroom.SecretsEqual(signature, s.sign("upload", address)) {
		return mailroom.Upload{}, invalid("file_url_signature", "The signature does not match the URL.")
	}
	id, _ := strings.CutPrefix(u.Path, Path+"/uploads/")
	upload, err := s.Processor.Store.Upload(r.Context(), id)
	if errors.Is(err, outcome.ErrNotFound) {
		return upload, invalid("file_url", "No file was uploaded to the URL.")
	}
	if err != nil {
		return upload, fmt.Errorf("read upload: %w", err)
	}
	return upload, nil
}

// file redirects to a letter's document.
func (s *Server) file(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	address := s.Base(r) + s.signedPath(Path+"/files/"+l.ID, s.Now().Add(downloadLife))
	return mailroom.Reply{Status: http.StatusFound, Header: map[string]string{"Location": address}}, nil
}
