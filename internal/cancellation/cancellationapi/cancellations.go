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
)

type wireCancellation struct {
	_ struct{} `doc:"A user's cancellation of a contract, and its status."`

	CancellationID string                 `json:"cancellationId" format:"uuid" doc:"Identifies the cancellation."`
	ExternalID     string                 `json:"externalCancellationRequestIdentifier" doc:"Your own identifier; empty if you sent none."`
	OrganizationID string                 `json:"organizationId" format:"uuid" doc:"Who the contract is with."`
	ProductID      string                 `json:"productId" format:"uuid" doc:"What is cancelled."`
	Locale         string                 `json:"locale" doc:"Language of the letter, in the form <language>-<COUNTRY>."`
	EndDate        string                 `json:"endDate,omitempty" format:"date" doc:"Last day of the contract that the letter names: yours or else the earliest one. Absent if that is not known; the letter then asks for the earliest possible date."`
	Reason         wireReason             `json:"reason" doc:"Why the user is cancelling."`
	Channel        string                 `json:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"How the letter is sent. If a channel fails, the next allowed one is used."`
	Status         string                 `json:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn" doc:"Confirmed and Rejected are the organization's answer. DeliveryFailed: no channel worked. Withdrawn: you withdrew it in time."`
	StatusReason   string                 `json:"statusReason" enum:",UserNotFound,InconsistentData,AlreadyCancelled,BindingPeriod,Undeliverable,CarrierRefused,CarrierUnavailable" doc:"Why it was rejected or not delivered; otherwise empty. The guide to errors explains each."`
	Outcome        string                 `json:"outcome" enum:"Waiting,StillDebited,Ended,Unknown" doc:"What the user's account shows. StillDebited: the contract has ended, but debits go on. Ended: none has come for one and a half periods."`
	OutcomeReason  string                 `json:"outcomeReason" enum:"LetterNotSent,ContractRuns,NoDebitSince,FinalBill,Refunded,DebitAfterEnd,DebitsStopped,NotCancelled,ContractUnknown,ConnectionLost,DataOutdated,AccountDeleted" doc:"Why. The guide to errors explains each."`
	SubscriptionID string                 `json:"subscriptionId,omitempty" format:"uuid" doc:"The recurring contract in the user's account; absent if unknown."`
	DebitsAfterEnd []wireDebitAfterEnd    `json:"debitsAfterEnd" nullable:"false" doc:"Payments for the contract after its end, oldest first."`
	CreatedAt      time.Time              `json:"createdAt" doc:"When the cancellation was created."`
	UpdatedAt      time.Time              `json:"updatedAt" doc:"When the status last changed."`
	LetterSHA256   string                 `json:"letterSha256" doc:"SHA-256 of the letter's PDF, in hexadecimal."`
	TrackingNumber string                 `json:"trackingNumber" doc:"Tracking number of registered mail; empty until the carrier reports one."`
	History        []wireCancellationStep `json:"history" nullable:"false" doc:"Every status so far, oldest first."`
}

// wireDebitAfterEnd is a payment after the end of the contract.
type wireDebitAfterEnd struct {
	_ struct{} `doc:"A payment for a contract after its end."`

	TransactionID string      `json:"transactionId" format:"uuid" doc:"The transaction in the user's account."`
	Date          string      `json:"date" format:"date" doc:"Its day."`
	Amount        json.Number `json:"amount" doc:"Negative, in major units."`
	CurrencyCode  string      `json:"currencyCode" doc:"ISO 4217."`
	RefundID      string      `json:"refundTransactionId,omitempty" format:"uuid" doc:"The transaction that paid it back in full; absent if none has."`
}

type wireCancellationStep struct {
	_ struct{} `doc:"A status, and when it began."`

	Status string           `json:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn" doc:"The status."`
	At     time.Time        `json:"at" doc:"When the status began."`
	Reason *wireReason      `json:"reason,omitempty" doc:"In the first step: why the user is cancelling, unless that is Ordinary."`
	Delay  *wireLetterDelay `json:"delay,omitempty" doc:"Present if the letter was late then."`
}

type wireLetterDelay struct {
	_ struct{} `doc:"The carrier reported a delay, and still tries to deliver the letter. The status does not change."`

	At     time.Time `json:"at" doc:"When it was first reported."`
	Reason string    `json:"reason" doc:"The carrier's code, such as MailboxFull."`
}

// wireGivenReason is a reason as a partner sends it.
type wireGivenReason wireReason

// wireReason is a reason as we answer it.
type wireReason struct {
	_ struct{} `doc:"Why the user is cancelling. The letter names the reason with its article."`

	Kind string `json:"kind" enum:"Ordinary,PriceRise,Moved,NotReminded,NoCancellationButton,Death,Special" doc:"Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Special: good cause."`
	Date string `json:"date,omitempty" format:"date" doc:"The day of the price rise, move or death."`
}

const ordinary = "Ordinary"

func toReason(r deadline.Reason) wireReason {
	if r.Kind == "" {
		return wireReason{Kind: ordinary}
	}
	return wireReason{Kind: string(r.Kind), Date: string(r.Date)}
}

// reason returns the zero reason for an ordinary cancellation.
func (w *wireGivenReason) reason() (deadline.Reason, error) {
	if w == nil {
		return deadline.Reason{}, nil
	}
	read := reader{place: func(name string) apierror.Field { return apierror.Field{Pointer: "/reason/" + name} }}
	r := deadline.Reason{Kind: deadline.ReasonKind(w.Kind), Date: read.date("date", w.Date)}
	if len(read.faults) > 0 {
		return deadline.Reason{}, apierror.Invalid(read.faults...)
	}
	if r.Kind == ordinary {
		r = deadline.Reason{}
	}
	return r, nil
}

type wireCancellationLetter struct {
	_ struct{} `doc:"A preview of a letter."`

	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"The channel that would be tried first."`
	Locale  string `json:"locale" doc:"Language of the letter, in the form <language>-<COUNTRY>."`
	EndDate string `json:"endDate,omitempty" format:"date" doc:"Last day of the contract that the letter names. Absent if it names none."`
	ReplyTo string `json:"replyTo,omitempty" doc:"The e-mail address that the organization's answer goes to. Absent if there is none."`
	PDF     string `json:"pdf" encoding:"base64" doc:"The letter as PDF."`
	SHA256  string `json:"sha256" doc:"SHA-256 of the PDF, in hexadecimal."`
}

type createdCancellationData struct {
	_ struct{} `doc:"The cancellation or, with dryRun, the preview of its letter."`

	Cancellation *wireCancellation       `json:"cancellation,omitempty" doc:"Absent with dryRun."`
	Letter       *wireCancellationLetter `json:"letter,omitempty" doc:"Present only with dryRun."`
}

type cancellationData struct {
	Cancellation wireCancellation `json:"cancellation"`
}

type cancellationsData struct {
	Cancellations []wireCancellation `json:"cancellations" nullable:"false" doc:"One page of the user's cancellations."`
}

type createCancellationInput struct {
	DryRun bool `query:"dryRun" doc:"Preview the letter: nothing is stored or sent, and the response is 200 with data.letter."`
	Body   struct {
		_ struct{} `doc:"The contract to cancel, and what the letter needs."`

		ExternalID     string                      `json:"externalCancellationRequestIdentifier,omitempty" maxLength:"255" doc:"Your own identifier, unique per user. Sending it again with the same content returns the first cancellation."`
		OrganizationID string                      `json:"organizationId" format:"uuid" minLength:"36" maxLength:"36" doc:"Who the contract is with."`
		ProductID      string                      `json:"productId" format:"uuid" minLength:"36" maxLength:"36" doc:"What to cancel; one of the products of the organization."`
		Locale         string                      `json:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" doc:"Language of the letter: one of the locales of the product."`
		Parameters     []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100" doc:"One for each field of the product's template."`
		Signature      wireSignature               `json:"signature" doc:"Signature of the user, for the letter."`
		SubscriptionID string                      `json:"subscriptionId,omitempty" format:"uuid" minLength:"36" maxLength:"36" doc:"The contract in the user's account, from listRecurringContracts. Without it, we look for the only contract with the organization."`
		ExtraConsent   bool                        `json:"extraConsent,omitempty" doc:"The user consents to a letter that reveals an opinion or belief. Must be true if the organization's extraConsent is."`
		EndDate        string                      `json:"endDate,omitempty" format:"date" doc:"Last day of the contract, from today to ten years ahead; the earliest possible by default. If the contract cannot end on it, the error has the next day as earliestEnd. That is not checked if the terms of the product are not known, or depend on when the contract began."`
		Reason         *wireGivenReason            `json:"reason,omitempty" doc:"Why; Ordinary by default. 422 if we know no such right in the country for this kind of contract, or if its date is missing."`
		ReplyTo        string                      `json:"replyTo,omitempty" maxLength:"254" doc:"E-mail address for the organization's answer, if the template has no EMAIL. Without either, it goes to the user's postal address and our mailbox."`
		Repeat         bool                        `json:"repeat,omitempty" doc:"Cancel even if the user has already cancelled this contract. Otherwise you get already_cancelled."`
	}
}

type wireCancellationParameter struct {
	_ struct{} `doc:"The user's value for a field of the template."`

	FieldKey   string `json:"fieldKey" maxLength:"100" doc:"The fieldKey of the field."`
	FieldValue string `json:"fieldValue" maxLength:"2000" doc:"At most 300 characters, and must match the field's format."`
	Label      string `json:"label,omitempty" maxLength:"2000" doc:"Ignored, so that a field of the template may be sent back with its value."`
	Format     string `json:"format,omitempty" maxLength:"2000" doc:"Ignored, as label."`
}

type wireSignature struct {
	_ struct{} `doc:"Signature of the user: a typed name or a picture."`

	Type string `json:"type" enum:"TEXT,IMAGE" doc:"Which of the two data is."`
	Data string `json:"data" minLength:"1" maxLength:"140000" doc:"TEXT: the typed name, at most 300 characters. IMAGE: a PNG of the handwritten signature, at most 100 KB, in base64."`
}

// CancellationPath holds the path parameter of one cancellation. It is exported
// because Huma only reads embedded fields of exported types.
type CancellationPath struct {
	CancellationID string `path:"cancellationId" format:"uuid" minLength:"36" maxLength:"36" doc:"A cancellation of the user, from listCancellations." example:"0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"`
}

// id returns the cancellation's ID as the store has it.
func (in CancellationPath) id() string { return strings.ToLower(in.CancellationID) }

type listCancellationsInput struct {
	api.Page
	Status     string `query:"status" enum:"Created,Queued,Sent,Delivered,Confirmed,DeliveryFailed,Rejected,Withdrawn" doc:"Only cancellations with this status."`
	ExternalID string `query:"externalCancellationRequestIdentifier" maxLength:"255" doc:"Only the cancellation with this identifier."`
}

// letterOutput is a PDF.
type letterOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition" doc:"Includes a file name in the letter's language."`
	Body               []byte
}

// evidenceOutput is a ZIP archive.
type evidenceOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition" doc:"Includes a file name."`
	Body               []byte
}

func registerEvidence(r *api.Router, proofs *cancellation.Evidence) {
	api.Register(r, api.Operation{
		ID: "getCancellationEvidence", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}/evidence",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Produces: "application/zip",
		Summary:  "Get the evidence of a cancellation",
		Description: "A ZIP archive that records what happened, and that can be verified offline: the letter, every step " +
			"in a chain of digests (evidence.json), the same in words for people and judges (evidence.pdf), our signature " +
			"(evidence.jws), a time stamp of it (evidence.tsr, RFC 3161), and what carriers sent. It has the same bytes " +
			"until something happens. If the time-stamp authority does not answer, the archive has timestamp-pending.txt " +
			"instead; fetch it again later. The ID of an objection gives the evidence of that letter.",
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*evidenceOutput, error) {
		archive, err := proofs.Bundle(ctx, api.User(ctx), in.id())
		return &evidenceOutput{
			ContentType: "application/zip", ContentDisposition: `attachment; filename="evidence-` + in.id() + `.zip"`,
			Body: archive,
		}, err
	})
}

func registerCancellations(r *api.Router, requests *cancellation.Requests) {
	api.Register(r, api.Operation{
		ID: "createCancellation", Method: http.MethodPost, Path: prefix + "/cancellations",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Creates: true,
		Status: http.StatusCreated, AlsoOK: http.StatusOK,
		Summary: "Cancel a contract",
		Description: "We write a letter and send it by e-mail, fax, mail or registered mail. With dryRun, nothing is " +
			"stored or sent, and the response is 200 with the letter. If the user already has a cancellation " +
			"with the same external identifier and content, the response is 200 with that cancellation. A " +
			"second letter for the same contract is usually a mistake. So the answer is 409 already_cancelled " +
			"with the cancellationId of the first, unless that failed, was rejected or withdrawn, or its " +
			"contract has ended. Another customer, contract or phone number, or another number plate, means " +
			"another contract.",
		Request: exampleRequest(), Answer: createdCancellationData{Cancellation: new(exampleCancellation())},
		Faults: []apierror.Code{
			apierror.TermsNotAccepted, apierror.NotFound, apierror.TemplateMismatch, apierror.ExtraConsentRequired,
			apierror.LocaleNotSupported, apierror.FormNotSupported, apierror.ExternalIDReused,
			apierror.AlreadyCancelled,
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
		Summary: "List a user's cancellations", Description: "The newest first.",
		Answer: cancellationsData{Cancellations: []wireCancellation{exampleCancellation()}},
		Faults: []apierror.Code{apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listCancellationsInput) (*api.Response[cancellationsData], error) {
		f := cancellation.Filter{Status: cancellation.Status(in.Status), ExternalID: in.ExternalID}
		return api.Paged(ctx, r, in.NextToken, func(position string) (cancellationsData, string, error) {
			page, err := requests.List(ctx, api.User(ctx), f, in.Limit, position)
			return cancellationsData{api.List(page.Cancellations, toCancellation)}, page.Next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getCancellation", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Summary: "Get a cancellation", Description: "Its status, and every status before.",
		Answer: cancellationData{Cancellation: exampleCancellation()}, Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[cancellationData], error) {
		c, err := requests.Get(ctx, api.User(ctx), in.id())
		return api.Result(cancellationData{Cancellation: toCancellation(c)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getCancellationLetter", Method: http.MethodGet, Path: prefix + "/cancellations/{cancellationId}/letter",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Produces: "application/pdf",
		Summary:  "Get the letter of a cancellation",
		Description: "The PDF that was or will be sent. Its SHA-256 is the cancellation's letterSha256. The ID of an " +
			"objection gives its letter.",
		Faults: []apierror.Code{apierror.NotFound},
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
		Summary:     "Withdraw a cancellation",
		Description: "Possible until the letter is being handed to a carrier. Withdrawing again has no effect.",
		Answer:      cancellationData{Cancellation: exampleWithdrawn()},
		Faults:      []apierror.Code{apierror.NotFound, apierror.NotWithdrawable},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[cancellationData], error) {
		c, err := requests.Withdraw(ctx, api.User(ctx), in.id())
		return api.Result(cancellationData{Cancellation: toCancellation(c)}, err)
	})
}

// request converts the body. It decodes the signature here because only the HTTP
// side knows its wire format.
func (in *createCancellationInput) request() (cancellation.Request, error) {
	b := in.Body
	r := cancellation.Request{
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
func parameters(list []wireCancellationParameter) (all []cancellation.Parameter) {
	for _, p := range list {
		all = append(all, cancellation.Parameter{Key: p.FieldKey, Value: p.FieldValue})
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
		Locale: string(c.Locale), EndDate: string(c.EndDate), Channel: string(c.Channel().Kind), Status: string(c.Status.Shown()),
		StatusReason: string(c.Reason), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		LetterSHA256: c.LetterSHA256, TrackingNumber: c.TrackingNumber,
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
		TransactionID: d.TransactionID, Date: d.Date, Amount: json.Number(d.Amount), CurrencyCode: d.Currency,
		RefundID: d.RefundID,
	}
}

func toLetter(d cancellation.Draft) wireCancellationLetter {
	return wireCancellationLetter{
		Channel: string(d.Channel), Locale: string(d.Locale), EndDate: string(d.EndDate), ReplyTo: d.ReplyTo,
		PDF: base64.StdEncoding.EncodeToString(d.Document.PDF), SHA256: d.SHA256,
	}
}
