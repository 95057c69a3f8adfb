package cancellationapi

import (
	"errors"
	"io"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
)

// Callbacks handle the reports of carriers, with their bodies. Their refusals are *apierror.Error:
// Unauthorized for a report that is not authentic, MalformedRequest for one that cannot be read,
// TemporarilyUnavailable for one to send again.
type Callbacks struct {
	// Pingen handles a webhook of the postal carrier.
	Pingen func(req *http.Request, body []byte) error
	// Sinch handles a callback of the fax carrier, which arrives at a secret path.
	Sinch func(req *http.Request, body []byte) error
}

// Reply is an answer that the sandbox writes for an organization.
type Reply struct {
	CancellationID string `json:"cancellationId"`
	// Mails are the same mail in several languages, by code. That of the letter's language is received, or else that
	// in English.
	Mails map[string]string `json:"mails"`
}

// callbackPrefix is the path prefix of the operations that carriers call.
const callbackPrefix = "/carriers/v1"

// RegisterCallbacks adds the operations that carriers call. They use neither our
// tokens nor our response envelope.
func RegisterCallbacks(r *api.Router, callbacks Callbacks) {
	r.Raw(api.Operation{
		ID: "receiveLetterStatus", Method: http.MethodPost, Path: callbackPrefix + "/pingen", Internal: true,
	}, handleBody(callbacks.Pingen))

	r.Raw(api.Operation{
		ID: "receiveFaxStatus", Method: http.MethodPost,
		Path: callbackPrefix + "/fax/{cancellationId}/{shipmentId}/{token}", Internal: true,
	}, handleBody(callbacks.Sinch))
}

// RegisterReplies adds the operation by which the sandbox answers for organizations.
func RegisterReplies(r *api.Router, receive func(req *http.Request, body []byte) error) {
	r.Raw(api.Operation{
		ID: "receiveOrganizationReply", Method: http.MethodPost, Path: callbackPrefix + "/replies", Internal: true,
	}, handleBody(receive))
}

// handleBody passes the body to handle and responds 204 if it succeeds.
func handleBody(handle func(req *http.Request, body []byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxCallback))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			err = apierror.New(apierror.PayloadTooLarge, "The body is too large.")
		case err != nil:
			err = apierror.New(apierror.MalformedRequest, "The request body is incomplete.")
		default:
			err = handle(req, body)
		}
		if err != nil {
			api.WriteProblem(w, req, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// maxCallback bounds the body of a callback. Some hold the whole fax, and API
// Gateway allows 10 MB.
const maxCallback = 10 << 20
