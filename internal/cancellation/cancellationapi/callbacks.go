package cancellationapi

import (
	"errors"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
)

// Callbacks handle the reports of carriers, with their bodies. Their refusals are *apierror.Error:
// Unauthorized for a report that is not authentic, MalformedRequest for one that cannot be read,
// TemporarilyUnavailable for one to send again.
type Callbacks struct {
	// Pingen handles a webhook of the postal carrier.
	Pingen func(req *http.Request, body []byte) error
	// Sinch handles a callback of the fax carrier, which arrives at a secret path.
	Sinch func(req *http.Request, body []byte) error
	// Reply handles an organization's reply from the sandbox. In production it returns
	// NotAvailableInProd.
	Reply func(req *http.Request, body []byte) error
}

// Reply is an organization's reply to a user.
type Reply struct {
	_ struct{} `doc:"An organization's reply to a user."`

	CancellationID string                    `json:"cancellationId" format:"uuid" doc:"The cancellation that it replies to."`
	Status         cancellation.Status       `json:"status" enum:"Confirmed,Rejected" doc:"Confirmed or Rejected."`
	Reason         cancellation.StatusReason `json:"statusReason" doc:"Why it is rejected; otherwise empty."`
}

// callbackPrefix is the path prefix of the operations that carriers call.
const callbackPrefix = "/carriers/v1"

// RegisterCallbacks adds the operations that carriers call. They use neither our
// tokens nor our response envelope.
func RegisterCallbacks(r *api.Router, callbacks Callbacks) {
	r.Raw(api.Operation{
		ID: "receiveLetterStatus", Method: http.MethodPost, Path: callbackPrefix + "/pingen", Tag: "Carriers",
		Internal: true,
		Summary:  "Status of a letter by post",
		Description: "Pingen calls this operation and signs the body (header Signature). " +
			"Enter its URL at Pingen for the webhooks sent, delivered, undeliverable and issues.",
	}, callbackDocument("The signature is not Pingen's."), handleBody(callbacks.Pingen))

	r.Raw(api.Operation{
		ID: "receiveFaxStatus", Method: http.MethodPost,
		Path: callbackPrefix + "/fax/{cancellationId}/{shipmentId}/{token}",
		Tag:  "Carriers", Internal: true,
		Summary: "Status of a fax",
		Description: "Sinch calls this operation at the URL sent with each fax. " +
			"The call itself proves nothing, so the result of the fax is read from Sinch.",
	}, callbackDocument("The URL is not one of ours.",
		pathParameter("cancellationId", "The cancellation."),
		pathParameter("shipmentId", "Our ID of the fax."), pathParameter("token", "The secret of the fax.")),
		handleBody(callbacks.Sinch))

	r.Raw(api.Operation{
		ID: "receiveOrganizationReply", Method: http.MethodPost, Path: callbackPrefix + "/replies", Tag: "Carriers",
		Internal: true,
		Summary:  "Reply of an organization",
		Description: "The sandbox calls this operation; its control page plays the organization. " +
			"Not available in production.",
	}, replyDocument, handleBody(callbacks.Reply))
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

func callbackDocument(unauthorized string, parameters ...*huma.Param) api.Description {
	return func(huma.Registry) huma.Operation {
		return huma.Operation{
			Parameters: parameters,
			Responses: map[string]*huma.Response{
				"204": {Description: "Accepted."},
				"400": api.ProblemResponse("`malformed_request`"),
				"401": api.ProblemResponse("`unauthorized`: " + unauthorized),
				"413": api.ProblemResponse("`payload_too_large`"),
				"500": api.ProblemResponse("`internal_error`"),
				"503": api.ProblemResponse("`temporarily_unavailable`"),
			},
		}
	}
}

func replyDocument(schemas huma.Registry) huma.Operation {
	d := callbackDocument("The request does not come from the sandbox.")(schemas)
	d.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {Schema: schemas.Schema(reflect.TypeFor[Reply](), true, "Reply")},
	}}
	d.Responses["403"] = api.ProblemResponse("`not_available_in_production`")
	d.Responses["404"] = api.ProblemResponse("`not_found`")
	d.Responses["409"] = api.ProblemResponse("`conflict`: the cancellation is not waiting for an answer.")
	return d
}

func pathParameter(name, description string) *huma.Param {
	return &huma.Param{
		Name: name, In: "path", Required: true, Description: description,
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "…",
	}
}
