package faxgateway

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// RetryDelays returns how long Sinch waits after each attempt.
func (*Server) RetryDelays() []time.Duration {
	return append([]time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute},
		slices.Repeat([]time.Duration{6 * time.Hour}, 12)...)
}

// Callback returns the callback for a notice.
func (s *Server) Callback(ctx context.Context, l mailroom.Letter, n mailroom.Notice,
	document []byte) (*http.Request, error) {
	body, contentType, err := s.body(l, n, document)
	if err != nil {
		return nil, err
	}
	// The client sends the credentials of the address as HTTP Basic.
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Faxed.CallbackURL, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("create callback: %w", err)
	}
	req.Header.Set("Content-Type", contentType)
	return req, nil
}

func (s *Server) body(l mailroom.Letter, n mailroom.Notice,
	document []byte) (body []byte, contentType string, err error) {
	at := n.At.UTC().Format(time.RFC3339)
	fax := s.wire(l)
	if l.Faxed.CallbackType == jsonType {
		files := []base64File{}
		if len(document) > 0 {
			files = append(files, base64File{document, "PDF"})
		}
		return mailroom.Encode(map[string]any{"event": n.Event, "eventTime": at, "fax": fax, "files": files}),
			jsonType, nil
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part := func(disposition, kind string, content []byte) {
		if err != nil {
			return
		}
		p, failed := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}})
		if err = failed; err == nil {
			_, err = p.Write(content)
		}
	}
	part(`form-data; name="event"`, "text/plain", []byte(n.Event))
	part(`form-data; name="eventTime"`, "text/plain", []byte(at))
	part(`form-data; name="fax"`, jsonType, mailroom.Encode(fax))
	if len(document) > 0 {
		part(`form-data; name="file"; filename="`+wireID(l.ID)+`.pdf"`, "application/pdf", document)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, "", fmt.Errorf("write callback: %w", err)
	}
	return b.Bytes(), w.FormDataContentType(), nil
}
