package cancellationapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/apierror"
	"aviso/internal/cancellation"
)

// CallbackService takes in what others report. Its refusals are *apierror.Error:
// Unauthorized for what is not authentic, MalformedRequest for what cannot be
// read, TemporarilyUnavailable for what should be sent again.
type CallbackService interface {
	// Pingen takes a webhook of the post carrier.
	Pingen(ctx context.Context, header http.Header, body []byte) error
	// Sinch takes a callback of the fax carrier, by its secret path.
	Sinch(ctx context.Context, cancellationID, shipmentID, token, contentType string, body []byte) error
	// Reply takes an organization's answer from the sandbox. It refuses with
	// NotAvailableInProd in production.
	Reply(ctx context.Context, authorization string, r Reply) error
}

// Reply is an organization's answer to a user.
type Reply struct {
	CancellationID string                    `json:"cancellationId"`
	Status         cancellation.Status       `json:"status"`
	Reason         cancellation.StatusReason `json:"statusReason"`
}

// callbackPrefix is that of what carriers call.
const callbackPrefix = "/carriers/v1"

// RegisterCallbacks adds what carriers call: no token of ours, no envelope.
func RegisterCallbacks(r *api.Router, callbacks CallbackService) {
	r.Raw(api.Operation{
		ID: "pingenWebhook", Method: http.MethodPost, Path: callbackPrefix + "/pingen", Tag: "Carriers",
		Summary:     "Status of a letter by post",
		Description: "Called by Pingen, which signs the body (header Signature). To be entered there as the address of the webhooks sent, delivered, undeliverable and issues.",
	}, callbackDocument("The signature is not Pingen's."), taking(func(req *http.Request, body []byte) error {
		return callbacks.Pingen(req.Context(), req.Header, body)
	}))

	r.Raw(api.Operation{
		ID: "sinchCallback", Method: http.MethodPost, Path: callbackPrefix + "/fax/{cancellationId}/{shipmentId}/{token}", Tag: "Carriers",
		Summary:     "Status of a fax",
		Description: "Called by Sinch at the address that goes with each fax. What became of the fax is read from Sinch; the call itself proves nothing.",
	}, callbackDocument("The address is not one of ours.", pathParameter("cancellationId"), pathParameter("shipmentId"), pathParameter("token")),
		taking(func(req *http.Request, body []byte) error {
			return callbacks.Sinch(req.Context(), req.PathValue("cancellationId"), req.PathValue("shipmentId"), req.PathValue("token"), req.Header.Get("Content-Type"), body)
		}))

	r.Raw(api.Operation{
		ID: "organizationReply", Method: http.MethodPost, Path: callbackPrefix + "/replies", Tag: "Carriers",
		Summary:     "An organization's answer",
		Description: "Called by the sandbox, whose control page plays the organization. Not in production.",
	}, replyDocument, taking(func(req *http.Request, body []byte) error {
		var reply Reply
		if err := json.Unmarshal(body, &reply); err != nil {
			return apierror.New(apierror.MalformedRequest, "The body is not the JSON that it should be.")
		}
		return callbacks.Reply(req.Context(), req.Header.Get("Authorization"), reply)
	}))
}

// taking reads the body and answers 204 when it was taken in.
func taking(take func(req *http.Request, body []byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxCallback))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			err = apierror.New(apierror.PayloadTooLarge, "The body is too large.")
		case err != nil:
			err = apierror.New(apierror.MalformedRequest, "The body could not be read to its end.")
		default:
			err = take(req, body)
		}
		if err != nil {
			api.WriteProblem(w, req, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// maxCallback bounds a callback. Some hold the whole fax, and API Gateway lets
// 10 MB pass.
const maxCallback = 10 << 20

func callbackDocument(unauthorized string, parameters ...*huma.Param) api.Description {
	return func(huma.Registry) huma.Operation {
		return huma.Operation{
			Parameters: parameters,
			Responses: map[string]*huma.Response{
				"204": {Description: "Taken in."},
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
	d := callbackDocument("The call is not the sandbox's.")(schemas)
	d.Responses["403"] = api.ProblemResponse("`not_available_in_production`")
	d.Responses["404"] = api.ProblemResponse("`not_found`")
	d.Responses["409"] = api.ProblemResponse("`conflict`: the cancellation stands where no answer can come.")
	return d
}

func pathParameter(name string) *huma.Param {
	return &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}, Example: "…"}
}
