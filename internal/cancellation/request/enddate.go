package request

import (
	"errors"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
)

const (
	endPointer = "/endDate"
	// maxYears is how many years ahead an end can be. No term is longer.
	maxYears = 10
)

// end returns the last day of the contract for the letter: the one that the user asks for, which may cost something, or
// else the earliest one that costs nothing. It is empty if that is not known. channels are those that the letter may
// use, and facts are what is known about the contract.
func (s *Requests) end(
	p catalogue.Product, r Request, channels []cancellation.Channel, facts deadline.Facts,
) (deadline.Date, error) {
	today := facts.CancelledOn
	if r.Reason.Kind == deadline.ReasonNotReminded {
		facts.RenewalReminder = deadline.ReminderNotSent
	}
	switch {
	case r.Reason.Kind == deadline.ReasonWithdrawal && r.EndDate != "":
		return "", badEnd(apierror.Field{Code: "not_possible", Detail: "A withdrawal has no endDate: it counts at once."})
	case r.Reason.Kind == deadline.ReasonWithdrawal:
		return today, nil
	case r.EndDate == "" && p.Sector().IsSupply():
		return "", badEnd(apierror.Field{Code: "required", Detail: "If the user changes, the new supplier cancels. " +
			"A letter of the user's own can end the supply, so it needs the day on which the user wants that."})
	case r.EndDate == "":
	case r.EndDate < today:
		return "", badEnd(apierror.Field{Code: "past", Detail: "Must not be before today, where the recipient is."})
	case r.EndDate > today.AddYears(maxYears):
		return "", badEnd(apierror.Field{Code: "too_late", Detail: "Must be within ten years.", Limit: maxYears})
	}
	if r.Reason.Kind != "" && r.Reason.Kind != deadline.ReasonNotReminded {
		return r.EndDate, nil // the ordinary end does not limit it
	}
	if len(channels) == 0 { // the user sends the letter, in whatever way
		channels = p.Channels
	}
	q := p.Query(r.Locale, channels, facts)
	q.NotBefore, q.Own = r.EndDate, true
	earliest, free := deadline.Ends(q)
	switch {
	case r.EndDate == "" && free < today: // it has ended by itself
		return "", nil
	case r.EndDate == "":
		return free, nil
	case earliest != "" && earliest != r.EndDate:
		return "", badEnd(apierror.Field{
			Code: "not_possible", EarliestEnd: string(earliest),
			Detail: "The contract cannot end on this day. earliestEnd is the next day on which it can.",
		})
	}
	return r.EndDate, nil
}

func badEnd(f apierror.Field) error {
	f.Pointer = endPointer
	return apierror.Invalid(f)
}

// refusesEnd reports whether only the end date is wrong.
func refusesEnd(err error) bool {
	refusal, ok := errors.AsType[*apierror.Error](err)
	return ok && len(refusal.Fields) == 1 && refusal.Fields[0].Pointer == endPointer
}
