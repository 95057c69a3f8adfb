package cancellationapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
)

// maxTestMail bounds a mail in a request. API Gateway and Lambda allow no more than 6 MB in base64.
const maxTestMail = 4 << 20

// RegisterMail adds the operation by which partners deliver mail, as the mail server would, to test how answers are
// read. receive returns apierror.MalformedRequest for what is not a mail.
func RegisterMail(r *api.Router, receive func(ctx context.Context, raw []byte) error) {
	r.Raw(api.Operation{
		ID: "sendTestMail", Method: http.MethodPost, Path: "/sandbox/v1/mail", Tag: "Sandbox", Scope: api.Cancellation,
		Status: http.StatusAccepted,
		Faults: []apierror.Code{apierror.MalformedRequest, apierror.UnsupportedMediaType, apierror.PayloadTooLarge},
	}, func(w http.ResponseWriter, req *http.Request) {
		if err := deliver(w, req, receive); err != nil {
			api.WriteProblem(w, req, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_ = json.NewEncoder(w).Encode(map[string]any{ // nothing to do if the caller has gone
			"data": map[string]any{"mail": map[string]any{"status": "Accepted"}},
			"meta": map[string]any{"pagination": map[string]any{}},
		})
	})
}

func deliver(
	w http.ResponseWriter, req *http.Request, receive func(ctx context.Context, raw []byte) error,
) error {
	if kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || kind != "message/rfc822" {
		return apierror.New(apierror.UnsupportedMediaType, "Send the mail as message/rfc822.")
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxTestMail))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return apierror.New(apierror.PayloadTooLarge, "The mail may have at most 4 MB.")
	}
	if err != nil {
		return apierror.New(apierror.MalformedRequest, "The request body is incomplete.")
	}
	return receive(req.Context(), raw)
}
