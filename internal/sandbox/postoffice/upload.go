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

// upload takes a file, as an object store does.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !s.genuine(r.URL.Path, q.Get("expires"), q.Get("signature")) {
		storeRefuses(w, http.StatusForbidden, "AccessDenied", "The address is not signed, or has expired.")
		return
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mailroom.MaxDocument))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		storeRefuses(w, http.StatusRequestEntityTooLarge, "EntityTooLarge", "The sandbox takes files of at most 300 KB.")
		return
	case err != nil:
		storeRefuses(w, http.StatusBadRequest, "IncompleteBody", "The body broke off.")
		return
	case !mailroom.BeginsAsPDF(content):
		storeRefuses(w, http.StatusBadRequest, "InvalidRequest", "The file is no PDF.")
		return
	}
	upload := mailroom.Upload{ID: r.PathValue("upload"), Content: content, Forget: s.Now().Add(uploadLife)}
	if err := s.Clerk.Store.Save(r.Context(), upload); err != nil {
		s.Failed(r, err)
		storeRefuses(w, http.StatusInternalServerError, "InternalError", "Please try again.")
		return
	}
	w.WriteHeader(http.StatusOK)
}

// uploaded is the file at an address that fileUpload gave.
func (s *Server) uploaded(r *http.Request, address, signature string) (mailroom.Upload, error) {
	u, err := url.Parse(address)
	if err != nil || !mailroom.Same(signature, s.sign("upload", address)) {
		return mailroom.Upload{}, invalid("file_url_signature", "The signature does not fit the address.")
	}
	id, _ := strings.CutPrefix(u.Path, Path+"/uploads/")
	upload, err := s.Clerk.Store.Upload(r.Context(), id)
	if errors.Is(err, mailroom.ErrNotFound) {
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

// download gives a document, as an object store does.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !s.genuine(r.URL.Path, q.Get("expires"), q.Get("signature")) {
		storeRefuses(w, http.StatusForbidden, "AccessDenied", "The address is not signed, or has expired.")
		return
	}
	d, err := s.Clerk.Store.Document(r.Context(), r.PathValue("letter"))
	switch {
	case errors.Is(err, mailroom.ErrNotFound):
		storeRefuses(w, http.StatusNotFound, "NoSuchKey", "The file is gone.")
	case err != nil:
		s.Failed(r, err)
		storeRefuses(w, http.StatusInternalServerError, "InternalError", "Please try again.")
	default:
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(d.Content)
	}
}

func storeRefuses(w http.ResponseWriter, status int, code, text string) {
	type failure struct {
		XMLName       xml.Name `xml:"Error"`
		Code, Message string
	}
	b, err := xml.Marshal(failure{Code: code, Message: text})
	if err != nil {
		panic("postoffice: " + err.Error()) // two texts marshal
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = w.Write(append([]byte(xml.Header), b...))
}
