package cancellationapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
)

type wireDeadline struct {
	EarliestEnd     string             `json:"earliestEnd,omitempty" format:"date"`
	EarliestFreeEnd string             `json:"earliestFreeEnd,omitempty" format:"date"`
	Costs           bool               `json:"costs"`
	Certainty       string             `json:"certainty,omitempty" enum:"Exact,Latest"`
	Withdrawal      *wireWithdrawal    `json:"withdrawal,omitempty"`
	Form            *wireRequiredForm  `json:"form,omitempty"`
	SendBy          []wireSendBy       `json:"sendBy" nullable:"false"`
	NextChance      string             `json:"nextChance,omitempty" format:"date"`
	Reason          *wireReason        `json:"reason,omitempty"`
	Reasons         []wireKnownReason  `json:"reasons" nullable:"false"`
	Steps           []wireDeadlineStep `json:"steps" nullable:"false"`
	Missing         []string           `json:"missing" enum:"terms,contractStart,customer,renewalReminder,concludedOn,holidays,sector,law,concludedAt" nullable:"false"`
}

type wireRequiredForm struct {
	Requirement string `json:"requirement" enum:"Text,Written,Registered,NewProvider"`
	Reason      string `json:"reason"`
}

type wireWithdrawal struct {
	Until  string `json:"until" format:"date"`
	Source string `json:"source"`
}

type wireSendBy struct {
	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
	Date    string `json:"date" format:"date"`
}

type wireKnownReason struct {
	Kind      string `json:"kind" enum:"Withdrawal,PriceRise,Moved,NotReminded,NoCancellationButton,Death,Special"`
	NeedsDate bool   `json:"needsDate"`
	NeedsText bool   `json:"needsText"`
	Confirmed bool   `json:"confirmed"`
	Source    string `json:"source"`
}

type wireDeadlineStep struct {
	Rule   string `json:"rule"`
	Source string `json:"source"`
	Text   string `json:"text"`
}

type deadlineData struct {
	Deadline wireDeadline `json:"deadline"`
}

// DeadlinePath is the path of a product, and the locale. It is exported because Huma only
// reads embedded fields of exported types.
type DeadlinePath struct {
	OrganizationPath
	ProductID string `path:"productId" format:"uuid" minLength:"36" maxLength:"36"`
	Locale    string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
}

type deadlineInput struct {
	DeadlinePath
	ContractStart string `query:"contractStart" format:"date"`
	CancelledOn   string `query:"cancelledOn" format:"date"`
	Channel       string `query:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
}

type calculateDeadlineInput struct {
	DeadlinePath
	Body struct {
		ContractStart string           `json:"contractStart,omitempty" format:"date"`
		CancelledOn   string           `json:"cancelledOn,omitempty" format:"date"`
		Channel       string           `json:"channel,omitempty" enum:"Email,Mail,RegisteredMail,Fax"`
		ConcludedOn   string           `json:"concludedOn,omitempty" format:"date"`
		LastRenewal   string           `json:"lastRenewal,omitempty" format:"date"`
		Customer      string           `json:"customer,omitempty" enum:"Consumer,SmallBusiness,Business"`
		Reminder      string           `json:"renewalReminder,omitempty" enum:"Sent,NotSent"`
		AgreedTerms   *wireAgreedTerms `json:"agreedTerms,omitempty"`
	}
}

type wireAgreedTerms struct {
	MinimumTerm  string `json:"minimumTerm,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$"`
	NoticePeriod string `json:"noticePeriod,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$"`
	Renewal      string `json:"renewal,omitempty" enum:"None,Fixed,Open"`
	RenewalTerm  string `json:"renewalTerm,omitempty" pattern:"^P[0-9]{1,3}[YMWD]$"`
	Sector       string `json:"sector,omitempty" enum:"Telecom,Television,Energy,EnergyBasicSupply,Heat,Water,Insurance,MotorInsurance,HomeInsurance,HealthInsurance,StatutoryHealth,Life,Affinity,Rental,Press,Association,Party,Course,Banking,Care,Goods,Services"`
	EndOf        string `json:"endOf,omitempty" enum:"Day,Month,Quarter,HalfYear,CalendarYear,ContractMonth,ContractHalfYear,ContractYear"`
	ConcludedAt  string `json:"concludedAt,omitempty" enum:"Distance,Doorstep,Shop"`
}

func registerDeadlines(r *api.Router, deadlines *catalogue.Deadlines) {
	const path = prefix + "/organizations/{organizationId}/products/{productId}/deadline"
	faults := []apierror.Code{apierror.NotFound, apierror.LocaleNotSupported}
	api.Register(r, api.Operation{
		ID: "getDeadline", Method: http.MethodGet, Path: path, Tag: "Catalogue", Scope: api.Cancellation,
		Faults: faults,
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
		Faults: faults,
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

func (in DeadlinePath) request() catalogue.DeadlineRequest {
	return catalogue.DeadlineRequest{
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
		ConcludedAt: deadline.ConcludedAt(t.ConcludedAt),
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
	ctx context.Context, deadlines *catalogue.Deadlines, request catalogue.DeadlineRequest,
) (*api.Response[deadlineData], error) {
	if len(r.faults) > 0 {
		return nil, apierror.Invalid(r.faults...)
	}
	a, err := deadlines.Compute(ctx, request)
	if errors.Is(err, catalogue.ErrChannelNotAllowed) {
		r.fail("channel", "not_allowed", "Must be one of the product's channels.")
		return nil, apierror.Invalid(r.faults...)
	}
	return api.Result(deadlineData{Deadline: toDeadline(a)}, err)
}

func toDeadline(a catalogue.DeadlineAnswer) wireDeadline {
	sendBy, next := a.LastChance()
	d := wireDeadline{
		Reasons: api.List(a.Reasons, func(g deadline.Ground) wireKnownReason {
			return wireKnownReason{
				Kind: string(g.Kind), NeedsDate: g.NeedsDate, NeedsText: g.NeedsText, Confirmed: !g.Unconfirmed,
				Source: g.Source(a.Language),
			}
		}),
		EarliestEnd: string(a.EarliestEnd), EarliestFreeEnd: string(a.EarliestFreeEnd), Costs: a.Costs,
		NextChance: string(next), Certainty: string(a.Certainty),
		SendBy: api.List(sendBy, func(s deadline.SendBy) wireSendBy {
			return wireSendBy{Channel: string(s.Channel), Date: string(s.Date)}
		}),
		Steps: api.List(a.Steps, func(s deadline.Step) wireDeadlineStep {
			return wireDeadlineStep{Rule: s.Rule, Source: s.Source, Text: s.Text}
		}),
		Missing: api.List(a.Missing, func(name string) string { return name }),
	}
	if a.Withdrawal.Until != "" {
		d.Withdrawal = &wireWithdrawal{Until: string(a.Withdrawal.Until), Source: a.Withdrawal.Source}
	}
	if a.Form.Requirement != "" {
		d.Form = &wireRequiredForm{Requirement: string(a.Form.Requirement), Reason: a.Form.Reason}
	}
	if a.Reason.Kind != "" {
		d.Reason = new(toReason(a.Reason))
	}
	return d
}
