package deadline

import (
	"slices"
	"time"
)

// priceRight is a law about price rises.
type priceRight struct {
	Article `yaml:",inline"`

	// Answer is RightYes or RightUnknown.
	Answer string
	// AnyChange is set if a lower price gives the right, too.
	AnyChange bool `yaml:"anyChange"`
	// Counts is the duration of the right. It is empty if that is uncertain.
	Counts struct {
		// From is the event from which For is counted, Notice or RiseMonth. NoticeMonth: from the end of the month of
		// the notice. If it is Effect, the right lasts until the new price takes effect.
		From string
		For  Period
	}
	Missing []string
}

// The answers.
const (
	RightYes     = "Yes"
	RightNo      = "No"
	RightUnknown = "Unknown"
)

const (
	fromNotice  = "Notice"
	noticeMonth = "NoticeMonth"
	untilEffect = "Effect"
	riseMonth   = "RiseMonth"
)

// The facts that may be missing in an answer about a price rise.
const (
	MissingProduct    = "product"
	MissingReason     = "reason"
	MissingNoticeDate = "noticeDate"
	MissingEffectDate = "effectDate"
)

// Rise is a change of a contract's price. Country, Sector and NoticeDate may be empty.
type Rise struct {
	Country, Language string
	Sector            Sector
	// Since is the day of the first debit at the new price.
	Since Date
	// NoticeDate is the day on which the organization told the user.
	NoticeDate Date
	// Fell is set if the price fell.
	Fell bool
}

// RiseAnswer says whether a price rise gives a right to end the contract early.
type RiseAnswer struct {
	Answer, Source string
	// LastDay is the last day on which the cancellation may arrive; empty if unknown.
	LastDay Date
	Missing []string
	Text    string
	// Reason is the reason for a cancellation with this right. It is zero if there is none.
	Reason Reason
}

// PriceRight returns whether a price rise gives a right to end the contract early.
func PriceRight(r Rise) RiseAnswer {
	w := wordsIn(r.Language)
	rights := lawOf(r.Country).PriceRights
	i := slices.IndexFunc(rights, func(right priceRight) bool { // in force when the rise was seen
		return slices.Contains(right.Sectors, r.Sector) && right.InForce.has(r.Since)
	})
	if r.Fell && (i < 0 || !rights[i].AnyChange) {
		return RiseAnswer{Answer: RightNo, Text: w.Texts["riseFell"]}
	}
	if i < 0 {
		a := RiseAnswer{Answer: RightUnknown, Text: w.Texts["riseUnknown"]}
		if r.Country == "" || r.Sector == "" {
			a.Missing = []string{MissingProduct}
		}
		return a
	}
	right := rights[i]
	text := map[string]message{RightYes: "riseRight", RightUnknown: "riseMay"}[right.Answer]
	if right.AnyChange {
		text = "riseAnyChange"
	}
	a := RiseAnswer{
		Answer: right.Answer, Source: right.source(), Missing: slices.Clone(right.Missing), Text: w.Texts[text],
	}
	if slices.ContainsFunc(Grounds(r.Country, r.Sector), func(g Ground) bool { return g.Kind == ReasonPriceRise }) {
		a.Reason = Reason{Kind: ReasonPriceRise, Date: r.Since}
	}
	switch {
	case right.Counts.From == riseMonth:
		a.lastDay(w, lastOfMonth(r.Since.Day(), 0))
	case right.Counts.From == untilEffect:
		a.Missing = append(a.Missing, MissingEffectDate)
		a.Text += " " + w.Texts["riseEffect"]
	case right.Counts.From != fromNotice && right.Counts.From != noticeMonth:
		a.Text += " " + w.Texts["riseStatute"]
	case r.NoticeDate == "":
		a.Missing = append(a.Missing, MissingNoticeDate)
		a.Text += " " + w.fill("riseNotice", args{"period": right.Counts.For})
	case right.Counts.From == noticeMonth:
		months, _ := right.Counts.For.months()
		a.lastDay(w, lastOfMonth(r.NoticeDate.Day(), months))
	default:
		a.lastDay(w, right.Counts.For.after(r.NoticeDate.Day(), calendar{}))
	}
	return a
}

func (a *RiseAnswer) lastDay(w words, day time.Time) {
	a.LastDay = dateOf(day)
	a.Text += " " + w.fill("riseUntil", args{"date": day})
}
