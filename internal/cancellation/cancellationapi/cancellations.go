package cancellationapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
)

type wireCancellation struct {
	CancellationID string                 `json:"cancellationId" format:"uuid"`
	ExternalID     string                 `json:"externalCancellationRequestIdentifier"`
	OrganizationID string                 `json:"organizationId" format:"uuid"`
	ProductID      string                 `json:"productId" format:"uuid"`
	Locale         string                 `json:"locale"`
	EndDate        string                 `json:"endDate,omitempty" format:"date"`
	Reason         wireReason             `json:"reason"`
	Channel        string                 `json:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
	Status         string                 `json:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn"`
	StatusReason   string                 `json:"statusReason" enum:",UserNotFound,InconsistentData,AlreadyCancelled,BindingPeriod,Undeliverable,CarrierRefused,CarrierUnavailable"`
	Outcome        string                 `json:"outcome" enum:"Waiting,StillDebited,Ended,Unknown"`
	OutcomeReason  string                 `json:"outcomeReason" enum:"LetterNotSent,ContractRuns,NoDebitSince,FinalBill,Refunded,DebitAfterEnd,DebitsStopped,NotCancelled,ContractUnknown,ConnectionLost,DataOutdated,AccountDeleted"`
	SubscriptionID string                 `json:"subscriptionId,omitempty" format:"uuid"`
	DebitsAfterEnd []wireDebitAfterEnd    `json:"debitsAfterEnd" nullable:"false"`
	CreatedAt      time.Time              `json:"createdAt"`
	UpdatedAt      time.Time              `json:"updatedAt"`
	LetterSHA256   string                 `json:"letterSha256"`
	TrackingNumber string                 `json:"trackingNumber"`
	ReplyAddress   string                 `json:"replyAddress,omitempty" format:"email"`
	ConfirmedEnd   string                 `json:"confirmedEndDate,omitempty" format:"date"`
	History        []wireCancellationStep `json:"history" nullable:"false"`
}

// wireDebitAfterEnd is a payment after the end of the contract.
type wireDebitAfterEnd struct {
	TransactionID string      `json:"transactionId" format:"uuid"`
	Date          string      `json:"date" format:"date"`
	Amount        json.Number `json:"amount"`
	CurrencyCode  string      `json:"currencyCode"`
	RefundID      string      `json:"refundTransactionId,omitempty" format:"uuid"`
}

type wireCancellationStep struct {
	Status string           `json:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn"`
	At     time.Time        `json:"at"`
	Reason *wireReason      `json:"reason,omitempty"`
	Delay  *wireLetterDelay `json:"delay,omitempty"`
}

type wireLetterDelay struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// wireGivenReason is a reason as a partner sends it.
type wireGivenReason wireReason

// wireReason is a reason as we answer it.
type wireReason struct {
	Kind string `json:"kind" enum:"Ordinary,Withdrawal,PriceRise,Moved,NotReminded,NoCancellationButton,Death,Special"`
	Date string `json:"date,omitempty" format:"date"`
	Text string `json:"text,omitempty" maxLength:"500"`
}

const ordinary = "Ordinary"

func toReason(r deadline.Reason) wireReason {
	if r.Kind == "" {
		return wireReason{Kind: ordinary}
	}
	return wireReason{Kind: string(r.Kind), Date: string(r.Date), Text: r.Text}
}

// reason returns the zero reason for an ordinary cancellation.
func (w *wireGivenReason) reason() (deadline.Reason, error) {
	if w == nil {
		return deadline.Reason{}, nil
	}
	read := reader{place: func(name string) apierror.Field { return apierror.Field{Pointer: "/reason/" + name} }}
	r := deadline.Reason{Kind: deadline.ReasonKind(w.Kind), Date: read.date("date", w.Date), Text: w.Text}
	if len(read.faults) > 0 {
		return deadline.Reason{}, apierror.Invalid(read.faults...)
	}
	if r.Kind == ordinary {
		r = deadline.Reason{}
	}
	return r, nil
}

type wireCancellationLetter struct {
	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
	Locale  string `json:"locale"`
	EndDate string `json:"endDate,omitempty" format:"date"`
	ReplyTo string `json:"replyTo,omitempty"`
	PDF     string `json:"pdf" encoding:"base64"`
	SHA256  string `json:"sha256"`
}

type createdCancellationData struct {
	Cancellation *wireCancellation       `json:"cancellation,omitempty"`
	Letter       *wireCancellationLetter `json:"letter,omitempty"`
}

type cancellationData struct {
	Cancellation wireCancellation `json:"cancellation"`
}

type cancellationsData struct {
	Cancellations []wireCancellation `json:"cancellations" nullable:"false"`
}

type createCancellationInput struct {
	DryRun bool `query:"dryRun"`
	Body   struct {
		ExternalID     string                      `json:"externalCancellationRequestIdentifier,omitempty" maxLength:"255"`
		OrganizationID string                      `json:"organizationId" format:"uuid" minLength:"36" maxLength:"36"`
		ProductID      string                      `json:"productId" format:"uuid" minLength:"36" maxLength:"36"`
		Locale         string                      `json:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$"`
		Parameters     []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100"`
		Signature      wireSignature               `json:"signature"`
		SubscriptionID string                      `json:"subscriptionId,omitempty" format:"uuid" minLength:"36" maxLength:"36"`
		ExtraConsent   bool                        `json:"extraConsent,omitempty"`
		EndDate        string                      `json:"endDate,omitempty" format:"date"`
		Reason         *wireGivenReason            `json:"reason,omitempty"`
		ReplyTo        string                      `json:"replyTo,omitempty" maxLength:"254"`
		Repeat         bool                        `json:"repeat,omitempty"`
	}
}

type wireCancellationParameter struct {
	FieldKey   string `json:"fieldKey" maxLength:"100"`
	FieldValue string `json:"fieldValue" maxLength:"2000"`
	Label      string `json:"label,omitempty" maxLength:"2000"`
	Format     string `json:"format,omitempty" maxLength:"2000"`
	Type       string `json:"type,omitempty" maxLength:"100"`
	Help       string `json:"help,omitempty" maxLength:"2000"`
	Example    string `json:"example,omitempty" maxLength:"2000"`
}

type wireSignature struct {
	Type string `json:"type" enum:"TEXT,IMAGE"`
	Data string `json:"data" minLength:"1" maxLength:"140000"`
}

// CancellationPath holds the path parameter of one cancellation. It is exported
// because Huma only reads embedded fields of exported types.
type CancellationPath struct {
	CancellationID string `path:"cancellationId" format:"uuid" minLength:"36" maxLength:"36"`
}

// id returns the cancellation's ID as the store has it.
func (in CancellationPath) id() string { return strings.ToLower(in.CancellationID) }

type listCancellationsInput struct {
	api.Page
	Status     string `query:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn"`
	ExternalID string `query:"externalCancellationRequestIdentifier" maxLength:"255"`
}

// letterOutput is a PDF.
type letterOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

// evidenceOutput is a ZIP archive.
type evidenceOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

func registerEvidence(r *api.Router, proofs *evidence.Bundles) {
	api.Register(r, api.Operation{
		ID: "getCancellationEvidence", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}/evidence",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Produces: "application/zip",
		Faults:   []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*evidenceOutput, error) {
		archive, err := proofs.Bundle(ctx, api.User(ctx), in.id())
		return &evidenceOutput{
			ContentType: "application/zip", ContentDisposition: `attachment; filename="evidence-` + in.id() + `.zip"`,
			Body: archive,
		}, err
	})
}

func registerCancellations(r *api.Router, requests *request.Requests) {
	api.Register(r, api.Operation{
		ID: "createCancellation", Method: http.MethodPost, Path: prefix + "/cancellations",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Creates: true,
		Status: http.StatusCreated, AlsoOK: http.StatusOK,
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound, apierror.TemplateMismatch, apierror.ExtraConsentRequired,
			apierror.LocaleNotSupported, apierror.FormNotSupported, apierror.ExternalIDReused,
			apierror.AlreadyCancelled, apierror.ReasonNotAvailable,
		},
	}, func(ctx context.Context, in *createCancellationInput) (*api.Response[createdCancellationData], error) {
		request, err := in.request()
		if err != nil {
			return nil, err
		}
		if in.DryRun {
			draft, err := requests.Preview(ctx, api.User(ctx), request)
			return api.Result(createdCancellationData{Letter: new(toLetter(draft))}, err)
		}
		created := func(c cancellation.Cancellation) *api.Response[createdCancellationData] {
			return api.With(http.StatusCreated, createdCancellationData{Cancellation: new(toCancellation(c))})
		}
		c, isNew, err := requests.Create(ctx, api.User(ctx), request, api.Effect(ctx, created))
		if isNew {
			return created(c), nil
		}
		return api.Result(createdCancellationData{Cancellation: new(toCancellation(c))}, err)
	})

	api.Register(r, api.Operation{
		ID: "listCancellations", Method: http.MethodGet, Path: prefix + "/cancellations",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listCancellationsInput) (*api.Response[cancellationsData], error) {
		f := request.Filter{Status: cancellation.Status(in.Status), ExternalID: in.ExternalID}
		return api.Paged(ctx, r, in.NextToken, func(position string) (cancellationsData, string, error) {
			page, err := requests.List(ctx, api.User(ctx), f, in.Limit, position)
			return cancellationsData{api.List(page.Cancellations, toCancellation)}, page.Next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getCancellation", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[cancellationData], error) {
		c, err := requests.Get(ctx, api.User(ctx), in.id())
		return api.Result(cancellationData{Cancellation: toCancellation(c)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getCancellationLetter", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}/letter",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Produces: "application/pdf",
		Faults:   []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*letterOutput, error) {
		letter, err := requests.Letter(ctx, api.User(ctx), in.id())
		return &letterOutput{
			ContentType: "application/pdf", ContentDisposition: `inline; filename="` + letter.FileName + `"`,
			Body: letter.PDF,
		}, err
	})

	api.Register(r, api.Operation{
		ID: "withdrawCancellation", Method: http.MethodPost, Path: prefix + "/cancellations/{cancellationId}/withdraw",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound, apierror.NotWithdrawable},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[cancellationData], error) {
		c, err := requests.Withdraw(ctx, api.User(ctx), in.id())
		return api.Result(cancellationData{Cancellation: toCancellation(c)}, err)
	})
}

// request converts the body. It decodes the signature here because only the HTTP
// side knows its wire format.
func (in *createCancellationInput) request() (request.Request, error) {
	b := in.Body
	r := request.Request{
		ExternalID: b.ExternalID, Locale: cancellation.Locale(b.Locale), ExtraConsent: b.ExtraConsent,
		EndDate: deadline.Date(b.EndDate), Repeat: b.Repeat, SubscriptionID: strings.ToLower(b.SubscriptionID),
		ReplyTo:        b.ReplyTo,
		OrganizationID: strings.ToLower(b.OrganizationID), ProductID: strings.ToLower(b.ProductID),
	}
	r.Parameters = parameters(b.Parameters)
	var err error
	if r.Reason, err = b.Reason.reason(); err != nil {
		return r, err
	}
	r.Signature, err = b.Signature.signature()
	return r, err
}

// parameters returns nil if there are none, because the digest of a request depends on it.
func parameters(list []wireCancellationParameter) (all []request.Parameter) {
	for _, p := range list {
		all = append(all, request.Parameter{Key: p.FieldKey, Value: p.FieldValue})
	}
	return all
}

func (s wireSignature) signature() (cancellation.Signature, error) {
	if s.Type == "TEXT" {
		return cancellation.Signature{Text: s.Data}, nil
	}
	image, err := base64.StdEncoding.Strict().DecodeString(s.Data)
	if err != nil {
		return cancellation.Signature{}, apierror.Invalid(apierror.Field{
			Pointer: "/signature/data", Code: "invalid", Detail: "Must be a PNG in base64 with padding (RFC 4648 §4).",
		})
	}
	return cancellation.Signature{Image: image}, nil
}

func toCancellation(c cancellation.Cancellation) wireCancellation {
	result, why := c.Outcome()
	return wireCancellation{
		Outcome: string(result), OutcomeReason: string(why), SubscriptionID: c.SubscriptionID,
		DebitsAfterEnd: api.List(c.Seen.Debits, toDebit),
		CancellationID: c.ID, ExternalID: c.ExternalID, OrganizationID: c.OrganizationID, ProductID: c.ProductID,
		Locale: string(c.Locale), EndDate: string(c.EndDate), Channel: string(c.Channel().Kind),
		Status:       string(c.Status.Shown()),
		StatusReason: string(c.Reason), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		LetterSHA256: c.LetterSHA256, TrackingNumber: c.TrackingNumber,
		ReplyAddress: c.ReplyAddress, ConfirmedEnd: string(c.ConfirmedEnd),
		Reason: toReason(c.Cause),
		History: api.List(c.Steps(), func(s cancellation.Step) wireCancellationStep {
			step := toStep(s)
			if s.Status == cancellation.StatusCreated && c.Cause.Kind != "" {
				step.Reason = new(toReason(c.Cause))
			}
			return step
		}),
	}
}

func toStep(s cancellation.Step) wireCancellationStep {
	step := wireCancellationStep{Status: string(s.Status.Shown()), At: s.At}
	if s.Delay != nil {
		step.Delay = &wireLetterDelay{At: s.Delay.At, Reason: s.Delay.Reason}
	}
	return step
}

func toDebit(d cancellation.Debit) wireDebitAfterEnd {
	return wireDebitAfterEnd{
		TransactionID: d.TransactionID, Date: d.Date, Amount: d.Amount, CurrencyCode: d.Currency,
		RefundID: d.RefundID,
	}
}

func toLetter(d request.Draft) wireCancellationLetter {
	return wireCancellationLetter{
		Channel: string(d.Channel), Locale: string(d.Locale), EndDate: string(d.EndDate), ReplyTo: d.ReplyTo,
		PDF: base64.StdEncoding.EncodeToString(d.Document.PDF), SHA256: d.SHA256,
	}
}
