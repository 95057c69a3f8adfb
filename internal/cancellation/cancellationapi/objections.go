package cancellationapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/apierror"
	"aviso/internal/cancellation"
)

type createObjectionInput struct {
	CancellationPath
	Body struct {
		_ struct{} `doc:"What the letter needs: the same as the letter of cancellation."`

		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100" doc:"One for each field of the product's template."`
		Signature  wireSignature               `json:"signature" doc:"Signature of the user, for the letter."`
	}
}

type objectionData struct {
	Letter wireCancellationLetter `json:"letter"`
}

func registerObjections(r *api.Router, requests *cancellation.Requests) {
	example := exampleRequest()
	api.Register(r, api.Operation{
		ID: "createObjection", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/objection",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Summary: "Preview a letter that objects to debits",
		Description: "If debits came after the end of the contract, the letter asks for the money back, withdraws the " +
			"authority to debit and names the cancellation with its digest. It is stored and sent by nobody: give it to the " +
			"user. Without such a debit that is unpaid, the answer is conflict.",
		Request: map[string]any{"parameters": example["parameters"], "signature": example["signature"]},
		Answer: objectionData{Letter: wireCancellationLetter{
			Channel: "Email", Locale: "de-DE", PDF: "JVBERi0xLjQK", SHA256: exampleCancellation().LetterSHA256,
		}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound, apierror.Conflict, apierror.TemplateMismatch},
	}, func(ctx context.Context, in *createObjectionInput) (*api.Response[objectionData], error) {
		request := cancellation.ObjectionRequest{CancellationID: in.id(), Parameters: parameters(in.Body.Parameters)}
		var err error
		if request.Signature, err = in.Body.Signature.signature(); err != nil {
			return nil, err
		}
		draft, err := requests.PreviewObjection(ctx, api.User(ctx), request)
		if err != nil {
			return nil, err
		}
		return api.OK(objectionData{Letter: toLetter(draft)}), nil
	})
}
