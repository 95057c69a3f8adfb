package cancellationapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/objection"
)

type wireObjection struct {
	ObjectionID     string                 `json:"objectionId" format:"uuid"`
	CancellationID  string                 `json:"cancellationId" format:"uuid"`
	Channel         string                 `json:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
	Status          string                 `json:"status" enum:"Created,Queued,Sent,Delivered,DeliveryFailed"`
	StatusReason    string                 `json:"statusReason" enum:",Undeliverable,CarrierRefused,CarrierUnavailable"`
	Debits          []wireDebitAfterEnd    `json:"debits" nullable:"false"`
	CreatedAt       time.Time              `json:"createdAt"`
	UpdatedAt       time.Time              `json:"updatedAt"`
	LetterSHA256    string                 `json:"letterSha256"`
	EnclosureSHA256 string                 `json:"enclosureSha256"`
	TrackingNumber  string                 `json:"trackingNumber"`
	History         []wireCancellationStep `json:"history" nullable:"false"`
}

type sendObjectionInput struct {
	CancellationPath

	DryRun bool `query:"dryRun"`
	Body   struct {
		Channel    string                      `json:"channel,omitempty" enum:"Email,Mail,RegisteredMail,Fax"`
		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100"`
		Signature  wireSignature               `json:"signature"`
		ReplyTo    string                      `json:"replyTo,omitempty" maxLength:"254"`
	}
}

type createObjectionInput struct {
	CancellationPath
	Body struct {
		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100"`
		Signature  wireSignature               `json:"signature"`
		ReplyTo    string                      `json:"replyTo,omitempty" maxLength:"254"`
	}
}

type objectionData struct {
	Letter wireCancellationLetter `json:"letter"`
}

type sentObjectionData struct {
	Objection *wireObjection          `json:"objection,omitempty"`
	Letter    *wireCancellationLetter `json:"letter,omitempty"`
}

type objectionsData struct {
	Objections []wireObjection `json:"objections" nullable:"false"`
}

func registerObjections(r *api.Router, objections *objection.Objections) {
	faults := []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound, apierror.Conflict, apierror.TemplateMismatch}
	api.Register(r, api.Operation{
		ID: "sendObjection", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/objections",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Creates: true,
		Status: http.StatusCreated, AlsoOK: http.StatusOK,
		Faults: faults,
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
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[objectionsData], error) {
		list, err := objections.List(ctx, api.User(ctx), in.id())
		return api.Result(objectionsData{Objections: api.List(list, toObjection)}, err)
	})

	api.Register(r, api.Operation{
		ID: "createObjection", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/objection",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
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
) (objection.Request, error) {
	signature, err := s.signature()
	return objection.Request{
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
