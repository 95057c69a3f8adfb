package cancellationapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

type wireDeadline struct {
	_ struct{} `doc:"When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice."`

	EarliestEnd     string             `json:"earliestEnd,omitempty" format:"date" doc:"The last day of the contract, if the cancellation is sent in time. Absent if it cannot be computed; missing says why."`
	EarliestFreeEnd string             `json:"earliestFreeEnd,omitempty" format:"date" doc:"The earliest end that costs nothing. Absent if earliestEnd is."`
	Costs           bool               `json:"costs" doc:"True if earliestEnd may cost something, so that earliestFreeEnd is later."`
	Form            *wireRequiredForm  `json:"form,omitempty" doc:"Absent if any text will do."`
	SendBy          []wireSendBy       `json:"sendBy" nullable:"false" doc:"The channels by which the contract can end on earliestFreeEnd; the one that counts is first. Channels that do not count by law are left out. Empty if the contract ends by itself, and if earliestEnd is absent."`
	NextChance      string             `json:"nextChance,omitempty" format:"date" doc:"The next free end, if the last day to send by the first channel is missed. Absent if there is none."`
	Reason          *wireReason        `json:"reason,omitempty" doc:"The reason to send with createCancellation, if the facts give one: NotReminded. Absent if they do not."`
	Reasons         []wireKnownReason  `json:"reasons" nullable:"false" doc:"The reasons that we know from the law of the country, for this kind of contract."`
	Steps           []wireDeadlineStep `json:"steps" nullable:"false" doc:"How it was computed, step by step."`
	Missing         []string           `json:"missing" enum:"terms,contractStart,customer,renewalReminder,concludedOn,holidays,sector,law" nullable:"false" doc:"Facts that would change the answer. terms: those of the product are not known, send agreedTerms. holidays: those of the recipient's country are not known. sector: it is not known, so that no statute was applied; send it in agreedTerms. law: no statute of the country and sector is known. The others are named as the facts that you can send."`
}

type wireRequiredForm struct {
	_ struct{} `doc:"What a cancellation must look like to be valid."`

	Requirement string `json:"requirement" enum:"Text,Written,Registered,NewProvider" doc:"Text: any text will do, whatever the contract asks for. Written: a signed letter. Registered: a registered letter or its legal equivalent. NewProvider: the new provider cancels for the user."`
	Reason      string `json:"reason" doc:"Why, for the user, in the language of the locale."`
}

type wireSendBy struct {
	_ struct{} `doc:"The last day to send by a channel."`

	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"The channel."`
	Date    string `json:"date" format:"date" doc:"The last day, in the time zone of the recipient. It leaves room for delivery, week-ends and public holidays."`
}

type wireKnownReason struct {
	_ struct{} `doc:"A reason to end a contract before its term."`

	Kind      string `json:"kind" enum:"PriceRise,Moved,NotReminded,NoCancellationButton,Death,Special" doc:"The kind, as createCancellation takes it."`
	NeedsDate bool   `json:"needsDate" doc:"Whether it needs a date."`
	Confirmed bool   `json:"confirmed" doc:"Whether we read the law itself, or a report of it."`
	Source    string `json:"source" doc:"The article, with the address of its official text."`
}

type wireDeadlineStep struct {
	_ struct{} `doc:"A step of the computation."`

	Rule   string `json:"rule" doc:"What the step does, such as notice_period. The guide to deadlines lists the rules."`
	Source string `json:"source" doc:"Where the rule is from: a statute with the address of its official text, the product's terms, or the source of the public holidays. Empty for a missing fact."`
	Text   string `json:"text" doc:"The step for the user, in the language of the locale."`
}

type deadlineData struct {
	Deadline wireDeadline `json:"deadline"`
}

// DeadlinePath is the path of a product, and the locale. It is exported because Huma only
// reads embedded fields of exported types.
type DeadlinePath struct {
	OrganizationPath
	ProductID string `path:"productId" format:"uuid" minLength:"36" maxLength:"36" doc:"The product, from listProducts. The example is one of the sandbox." example:"3b151b50-8010-573a-bf78-7542e100060e"`
	Locale    string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"The language of the texts, and the country whose law applies: one of the product's locales, the first by default." example:"de-DE"`
}

type deadlineInput struct {
	DeadlinePath
	ContractStart string `query:"contractStart" format:"date" doc:"First day of the contract." example:"2025-03-15"`
	CancelledOn   string `query:"cancelledOn" format:"date" doc:"The day on which the cancellation is sent; today by default, where the recipient is." example:"2026-03-02"`
	Channel       string `query:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"The channel that counts for earliestEnd; the product's first by default."`
}

type calculateDeadlineInput struct {
	DeadlinePath
	Body struct {
		_ struct{} `doc:"What is known about the contract. All of it is optional."`

		ContractStart string           `json:"contractStart,omitempty" format:"date" doc:"First day of the contract."`
		CancelledOn   string           `json:"cancelledOn,omitempty" format:"date" doc:"The day on which the cancellation is sent; today by default, where the recipient is."`
		Channel       string           `json:"channel,omitempty" enum:"Email,Mail,RegisteredMail,Fax" doc:"The channel that counts for earliestEnd; the product's first by default."`
		ConcludedOn   string           `json:"concludedOn,omitempty" format:"date" doc:"The day on which the contract was concluded, which decides which law and terms apply; contractStart by default."`
		LastRenewal   string           `json:"lastRenewal,omitempty" format:"date" doc:"First day of the current term, if known. Renewals are counted from it."`
		Customer      string           `json:"customer,omitempty" enum:"Consumer,SmallBusiness,Business" doc:"Whether the user concluded the contract as a consumer (default) or a business. SmallBusiness: one that some statutes protect like a consumer."`
		Reminder      string           `json:"renewalReminder,omitempty" enum:"Sent,NotSent" doc:"Whether the organization told the user in time that the contract would renew; sent by default."`
		AgreedTerms   *wireAgreedTerms `json:"agreedTerms,omitempty" doc:"Terms that differ from those of the product. Each that you send replaces the product's."`
	}
}

type wireAgreedTerms struct {
	_ struct{} `doc:"What a contract says about its end. Durations have one unit: P24M, P1Y, P2W, P14D."`

	MinimumTerm  string `json:"minimumTerm,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$" doc:"The first term."`
	NoticePeriod string `json:"noticePeriod,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$" doc:"How long before the end a cancellation must arrive."`
	Renewal      string `json:"renewal,omitempty" enum:"None,Fixed,Open" doc:"What happens after the first term. None: the contract ends. Fixed: it renews for renewalTerm. Open: it runs on."`
	RenewalTerm  string `json:"renewalTerm,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$" doc:"For how long it renews."`
	Sector       string `json:"sector,omitempty" enum:"Telecom,Television,Energy,EnergyBasicSupply,Heat,Water,Insurance,MotorInsurance,HomeInsurance,HealthInsurance,StatutoryHealth,Life,Affinity,Rental,Press,Association,Party,Goods,Services" doc:"The kind of contract, which decides what statutes apply. HealthInsurance: private. Affinity: insurance sold with goods or a service. Rental: of a home."`
	EndOf        string `json:"endOf,omitempty" enum:"Day,Month,Quarter,HalfYear,CalendarYear,ContractMonth,ContractHalfYear,ContractYear" doc:"The days on which it can end."`
}

func exampleDeadline() wireDeadline {
	const terms = "Terms of use, section 5"
	return wireDeadline{
		EarliestEnd: "2026-03-14", EarliestFreeEnd: "2026-03-14", NextChance: "2026-04-14",
		SendBy: []wireSendBy{{Channel: "Email", Date: "2026-03-12"}},
		Reasons: []wireKnownReason{{
			Kind: "Special", Confirmed: true, Source: "§ 314 Abs. 1 BGB, https://www.gesetze-im-internet.de/bgb/__314.html",
		}},
		Steps: []wireDeadlineStep{
			{Rule: "renewal", Source: terms, Text: "Ohne rechtzeitige Kündigung verlängert sich der Vertrag, jeweils um: 1 Monat."},
			{Rule: "notice_period", Source: terms, Text: "Kündigungsfrist: keine. Die Kündigung muss spätestens am 14.03.2026 eingehen."},
		},
		Missing: []string{},
	}
}

func registerDeadlines(r *api.Router, deadlines *cancellation.Deadlines) {
	const path = prefix + "/organizations/{organizationId}/products/{productId}/deadline"
	faults := []apierror.Code{apierror.NotFound, apierror.LocaleNotSupported}
	api.Register(r, api.Operation{
		ID: "getDeadline", Method: http.MethodGet, Path: path, Tag: "Catalogue", Scope: api.Cancellation,
		Summary: "Get the deadline of a contract",
		Description: "When a contract for the product can end, and by when a cancellation must be sent by each " +
			"channel. Each step names its source: the product's terms, or the statute that overrides them. " +
			"The deadline is computed without the contract itself, and is not legal advice.",
		Answer: deadlineData{Deadline: exampleDeadline()}, Faults: faults,
	}, func(ctx context.Context, in *deadlineInput) (*api.Response[deadlineData], error) {
		read := reader{place: func(name string) apierror.Field { return apierror.Field{Parameter: name} }}
		request := in.request()
		request.ContractStart = read.date("contractStart", in.ContractStart)
		request.CancelledOn = read.date("cancelledOn", in.CancelledOn)
		request.Channel = cancellation.ChannelKind(in.Channel)
		return read.answer(ctx, deadlines, request)
	})

	api.Register(r, api.Operation{
		ID: "calculateDeadline", Method: http.MethodPost, Path: path, Tag: "Catalogue", Scope: api.Cancellation,
		Summary:     "Calculate the deadline of a contract from more facts",
		Description: "Like getDeadline, but with facts that only the user knows. Nothing is stored.",
		Request: map[string]any{
			"contractStart": "2025-03-15", "cancelledOn": "2026-03-02", "customer": "Consumer",
			"agreedTerms": map[string]string{"noticePeriod": "P0D"},
		},
		Answer: deadlineData{Deadline: exampleDeadline()}, Faults: faults,
	}, func(ctx context.Context, in *calculateDeadlineInput) (*api.Response[deadlineData], error) {
		read := reader{place: func(name string) apierror.Field { return apierror.Field{Pointer: "/" + name} }}
		b, request := in.Body, in.request()
		request.Facts = deadline.Facts{
			ContractStart: read.date("contractStart", b.ContractStart), CancelledOn: read.date("cancelledOn", b.CancelledOn),
			ConcludedOn: read.date("concludedOn", b.ConcludedOn), LastRenewal: read.date("lastRenewal", b.LastRenewal),
			Customer: deadline.Customer(b.Customer), RenewalReminder: deadline.RenewalReminder(b.Reminder),
		}
		request.Channel = cancellation.ChannelKind(b.Channel)
		request.Agreed = read.agreed(b.AgreedTerms)
		read.checkOrder(request.Facts)
		return read.answer(ctx, deadlines, request)
	})
}

func (in DeadlinePath) request() cancellation.DeadlineRequest {
	return cancellation.DeadlineRequest{
		OrganizationID: in.organization(), ProductID: strings.ToLower(in.ProductID), Locale: cancellation.Locale(in.Locale),
	}
}

// reader reads facts and collects what is wrong with them.
type reader struct {
	// place returns a field of the request by its name.
	place  func(name string) apierror.Field
	faults []apierror.Field
}

func (r *reader) fail(name, code, detail string) {
	f := r.place(name)
	f.Code, f.Detail = code, detail
	r.faults = append(r.faults, f)
}

func (r *reader) date(name, text string) deadline.Date {
	d, err := deadline.ParseDate(text)
	if text != "" && err != nil {
		r.fail(name, "out_of_range", "Must be a day between 1900 and 2199.")
	}
	return d
}

func (r *reader) period(name, text string) deadline.Period {
	p, err := deadline.ParsePeriod(text)
	if text != "" && err != nil {
		r.fail("agreedTerms/"+name, "out_of_range", "Must be at most ten years.")
	}
	return p
}

func (r *reader) agreed(t *wireAgreedTerms) deadline.Terms {
	if t == nil {
		return deadline.Terms{}
	}
	return deadline.Terms{
		MinimumTerm: r.period("minimumTerm", t.MinimumTerm), NoticePeriod: r.period("noticePeriod", t.NoticePeriod),
		RenewalTerm: r.period("renewalTerm", t.RenewalTerm),
		Renewal:     deadline.Renewal(t.Renewal), EndOf: deadline.EndOf(t.EndOf), Sector: deadline.Sector(t.Sector),
	}
}

// checkOrder checks what the days of a contract must be in relation to each other.
func (r *reader) checkOrder(f deadline.Facts) {
	if f.LastRenewal != "" && (f.ContractStart == "" || f.LastRenewal < f.ContractStart) {
		r.fail("lastRenewal", "before_start", "Must not be before contractStart, which it needs.")
	}
	if f.ConcludedOn != "" && f.CancelledOn != "" && f.ConcludedOn > f.CancelledOn {
		r.fail("concludedOn", "after_cancellation", "Must not be after cancelledOn.")
	}
}

func (r *reader) answer(
	ctx context.Context, deadlines *cancellation.Deadlines, request cancellation.DeadlineRequest,
) (*api.Response[deadlineData], error) {
	if len(r.faults) > 0 {
		return nil, apierror.Invalid(r.faults...)
	}
	a, err := deadlines.Compute(ctx, request)
	if errors.Is(err, cancellation.ErrChannelNotAllowed) {
		r.fail("channel", "not_allowed", "Must be one of the product's channels.")
		return nil, apierror.Invalid(r.faults...)
	}
	return api.Result(deadlineData{Deadline: toDeadline(a)}, err)
}

func toDeadline(a cancellation.DeadlineAnswer) wireDeadline {
	d := wireDeadline{
		Reasons: api.List(a.Reasons, func(g deadline.Ground) wireKnownReason {
			return wireKnownReason{
				Kind: string(g.Kind), NeedsDate: g.NeedsDate, Confirmed: !g.Unconfirmed, Source: g.Source(a.Language),
			}
		}),
		EarliestEnd: string(a.EarliestEnd), EarliestFreeEnd: string(a.EarliestFreeEnd), Costs: a.Costs,
		NextChance: string(a.NextChance),
		SendBy: api.List(a.SendBy, func(s deadline.SendBy) wireSendBy {
			return wireSendBy{Channel: string(s.Channel), Date: string(s.Date)}
		}),
		Steps: api.List(a.Steps, func(s deadline.Step) wireDeadlineStep {
			return wireDeadlineStep{Rule: s.Rule, Source: s.Source, Text: s.Text}
		}),
		Missing: api.List(a.Missing, func(name string) string { return name }),
	}
	if a.Form.Requirement != "" {
		d.Form = &wireRequiredForm{Requirement: string(a.Form.Requirement), Reason: a.Form.Reason}
	}
	if a.Reason.Kind != "" {
		d.Reason = new(toReason(a.Reason))
	}
	return d
}
