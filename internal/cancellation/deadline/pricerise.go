package deadline

import (
	_ "embed" // the rights
	"encoding/json"
	"fmt"
	"slices"
)

// rightsFile has the rights to end a contract because of a price rise. It is parsed only for
// an answer. Checked says that somebody has read the text, a quotation of it or a report of
// an authority or a consumers' association; docs/guides/prices.md marks the others.
//
//go:embed pricerights.json
var rightsFile []byte

// priceRight is what a law says about price rises.
type priceRight struct {
	ID, Country   string
	Citation, URL string
	Sectors       []Sector
	// InForceFrom and InForceUntil limit it to rises in this period. InForceUntil may be empty.
	InForceFrom, InForceUntil Date
	// Answer is RightYes or RightUnknown.
	Answer string
	// Starts is the event from which Window is counted, or Effect alone: until the new price
	// takes effect. It is empty if the period is not certain.
	Starts  string
	Window  Period
	Missing []string
	Checked bool
}

// The answers.
const (
	RightYes     = "Yes"
	RightNo      = "No"
	RightUnknown = "Unknown"
)

const (
	fromNotice  = "Notice"
	untilEffect = "Effect"
)

// The facts that the answer about a price rise may miss.
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
	// Fell is set if the price is lower than before.
	Fell bool
}

// RiseAnswer says whether a price rise gives a right to end the contract early.
type RiseAnswer struct {
	Answer, Source string
	// LastDay is the last day on which the cancellation may arrive; empty if unknown.
	LastDay Date
	Missing []string
	Text    string
}

// PriceRight answers whether a price rise gives a right to end the contract early.
func PriceRight(r Rise) RiseAnswer {
	w := wordsIn(r.Language)
	if r.Fell {
		return RiseAnswer{Answer: RightNo, Text: w.Texts[riseFell]}
	}
	right, found := rightFor(r)
	if !found {
		a := RiseAnswer{Answer: RightUnknown, Text: w.Texts[riseUnknown]}
		if r.Country == "" || r.Sector == "" {
			a.Missing = []string{MissingProduct}
		}
		return a
	}
	text := map[string]message{RightYes: riseRight, RightUnknown: riseMay}[right.Answer]
	a := RiseAnswer{
		Answer: right.Answer, Source: right.Citation + ", " + right.URL, Missing: right.Missing, Text: w.Texts[text],
	}
	switch {
	case right.Starts == untilEffect:
		a.Missing = append(a.Missing, MissingEffectDate)
		a.Text += " " + w.Texts[riseEffect]
	case right.Starts != fromNotice:
		a.Text += " " + w.Texts[riseStatute]
	case r.NoticeDate == "":
		a.Missing = append(a.Missing, MissingNoticeDate)
		a.Text += " " + w.fill(riseNotice, args{"period": right.Window})
	default:
		last := right.Window.after(r.NoticeDate.day(), calendar{})
		a.LastDay = dateOf(last)
		a.Text += " " + w.fill(riseUntil, args{"date": last})
	}
	return a
}

// rightFor returns what the law said about a rise when it was seen.
func rightFor(r Rise) (priceRight, bool) {
	for _, right := range priceRights() {
		if right.Country == r.Country && slices.Contains(right.Sectors, r.Sector) &&
			within(r.Since, right.InForceFrom, right.InForceUntil) {
			return right, true
		}
	}
	return priceRight{}, false
}

func priceRights() []priceRight {
	var all []priceRight
	if err := json.Unmarshal(rightsFile, &all); err != nil { // the tests read the file
		panic(fmt.Sprintf("rights at price rises: %v", err))
	}
	return all
}
