package cancellationapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
)

type wireObjection struct {
	_ struct{} `doc:"A letter that objects to debits after the end of a contract, and its status."`

	ObjectionID     string                 `json:"objectionId" format:"uuid" doc:"Identifies the objection. getCancellationLetter and getCancellationEvidence take it, too."`
	CancellationID  string                 `json:"cancellationId" format:"uuid" doc:"The cancellation that it belongs to."`
	Channel         string                 `json:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"How the letter is sent. If a channel fails, the next allowed one is used."`
	Status          string                 `json:"status" enum:"Created,Queued,Sent,Delivered,DeliveryFailed" doc:"DeliveryFailed: no channel worked, so you can send another objection."`
	StatusReason    string                 `json:"statusReason" enum:",Undeliverable,CarrierRefused,CarrierUnavailable" doc:"Why it was not delivered; otherwise empty."`
	Debits          []wireDebitAfterEnd    `json:"debits" nullable:"false" doc:"What it objects to, as it was when the letter was written."`
	CreatedAt       time.Time              `json:"createdAt" doc:"When the objection was created."`
	UpdatedAt       time.Time              `json:"updatedAt" doc:"When the status last changed."`
	LetterSHA256    string                 `json:"letterSha256" doc:"SHA-256 of the letter's PDF, in hexadecimal."`
	EnclosureSHA256 string                 `json:"enclosureSha256" doc:"SHA-256 of the enclosure, in hexadecimal: the evidence.pdf of the cancellation. An e-mail has it as a second file. In other channels its pages follow the letter."`
	TrackingNumber  string                 `json:"trackingNumber" doc:"Tracking number of registered mail; empty until the carrier reports one."`
	History         []wireCancellationStep `json:"history" nullable:"false" doc:"Every status so far, oldest first."`
}

type sendObjectionInput struct {
	CancellationPath

	DryRun bool `query:"dryRun" doc:"Preview the letter: nothing is stored or sent, and the response is 200 with data.letter."`
	Body   struct {
		_ struct{} `doc:"What the letter needs: the same as the letter of cancellation."`

		Channel    string                      `json:"channel,omitempty" enum:"Email,Mail,RegisteredMail,Fax" doc:"The channel to try first, one of those that the product allows. By default it is the one that the cancellation went by."`
		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100" doc:"One for each field of the product's template."`
		Signature  wireSignature               `json:"signature" doc:"Signature of the user, for the letter."`
		ReplyTo    string                      `json:"replyTo,omitempty" maxLength:"254" doc:"As in createCancellation."`
	}
}

type createObjectionInput struct {
	CancellationPath
	Body struct {
		_ struct{} `doc:"What the letter needs: the same as the letter of cancellation."`

		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100" doc:"One for each field of the product's template."`
		Signature  wireSignature               `json:"signature" doc:"Signature of the user, for the letter."`
		ReplyTo    string                      `json:"replyTo,omitempty" maxLength:"254" doc:"As in createCancellation."`
	}
}

type objectionData struct {
	Letter wireCancellationLetter `json:"letter"`
}

type sentObjectionData struct {
	_ struct{} `doc:"The objection or, with dryRun, the preview of its letter."`

	Objection *wireObjection          `json:"objection,omitempty" doc:"Absent with dryRun."`
	Letter    *wireCancellationLetter `json:"letter,omitempty" doc:"Present only with dryRun."`
}

type objectionsData struct {
	Objections []wireObjection `json:"objections" nullable:"false" doc:"All objections, oldest first."`
}

func registerObjections(r *api.Router, objections *cancellation.Objections) {
	example := exampleRequest()
	request := map[string]any{"parameters": example["parameters"], "signature": example["signature"]}
	faults := []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound, apierror.Conflict, apierror.TemplateMismatch}
	api.Register(r, api.Operation{
		ID: "sendObjection", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/objections",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Creates: true,
		Status: http.StatusCreated, AlsoOK: http.StatusOK,
		Summary: "Send a letter that objects to debits",
		Description: "If debits came after the end of the contract, the letter asks for the money back, withdraws the " +
			"permission to debit, and names the cancellation with its digest. It goes the same way as the " +
			"letter of cancellation, and encloses its evidence. With dryRun, nothing is stored or sent, and " +
			"the response is 200 with the letter. If the outcome is not StillDebited, the answer is conflict. " +
			"Each debit has one objection. If all debits already have one, the answer is conflict with its " +
			"objectionId. An objection that could not be delivered does not count.",
		Request: request, Answer: sentObjectionData{Objection: new(exampleObjection())}, Faults: faults,
	}, func(ctx context.Context, in *sendObjectionInput) (*api.Response[sentObjectionData], error) {
		request, err := in.request(in.Body.Parameters, in.Body.Signature, in.Body.ReplyTo)
		if err != nil {
			return nil, err
		}
		request.Channel = cancellation.ChannelKind(in.Body.Channel)
		if in.DryRun {
			draft, err := objections.Preview(ctx, api.User(ctx), request)
			return api.Result(sentObjectionData{Letter: new(toLetter(draft))}, err)
		}
		response := func(c cancellation.Cancellation) *api.Response[sentObjectionData] {
			return api.With(http.StatusCreated, sentObjectionData{Objection: new(toObjection(c))})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[cancellation.Cancellation]) (cancellation.Cancellation, error) {
			return objections.Create(ctx, api.User(ctx), request, also)
		})
	})

	api.Register(r, api.Operation{
		ID: "listObjections", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}/objections",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Summary: "List the objections to debits", Description: "Objections to debits after the end of the contract, oldest first.",
		Answer: objectionsData{Objections: []wireObjection{exampleObjection()}}, Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[objectionsData], error) {
		list, err := objections.List(ctx, api.User(ctx), in.id())
		return api.Result(objectionsData{Objections: api.List(list, toObjection)}, err)
	})

	api.Register(r, api.Operation{
		ID: "createObjection", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/objection",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Summary: "Preview a letter that objects to debits",
		Description: "The same letter as in sendObjection, for the user to send. We neither store nor send it. It " +
			"offers the evidence on request. If no debit is unpaid, the answer is conflict.",
		Request: request,
		Answer: objectionData{Letter: wireCancellationLetter{
			Channel: "Email", Locale: "de-DE", PDF: "JVBERi0xLjQK", SHA256: exampleCancellation().LetterSHA256,
		}},
		Faults: faults,
	}, func(ctx context.Context, in *createObjectionInput) (*api.Response[objectionData], error) {
		request, err := in.request(in.Body.Parameters, in.Body.Signature, in.Body.ReplyTo)
		if err != nil {
			return nil, err
		}
		draft, err := objections.Preview(ctx, api.User(ctx), request)
		return api.Result(objectionData{Letter: toLetter(draft)}, err)
	})
}

// request converts what the letter needs.
func (in CancellationPath) request(
	list []wireCancellationParameter, s wireSignature, replyTo string,
) (cancellation.ObjectionRequest, error) {
	signature, err := s.signature()
	return cancellation.ObjectionRequest{
		CancellationID: in.id(), Parameters: parameters(list), Signature: signature, ReplyTo: replyTo,
	}, err
}

func toObjection(c cancellation.Cancellation) wireObjection {
	return wireObjection{
		ObjectionID: c.ID, CancellationID: c.Objects.CancellationID, Channel: string(c.Channel().Kind),
		Status: string(c.Status.Shown()), StatusReason: string(c.Reason), Debits: api.List(c.Objects.Debits, toDebit),
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, LetterSHA256: c.LetterSHA256,
		EnclosureSHA256: c.Objects.EnclosureSHA256, TrackingNumber: c.TrackingNumber,
		History: api.List(c.Steps(), toStep),
	}
}
