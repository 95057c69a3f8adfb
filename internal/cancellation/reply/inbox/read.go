package inbox

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/reply"
)

// reader reads one answer.
type reader struct {
	*rules

	all       common
	mail      Mail
	wrote     time.Time
	sentences []sentence
	// monthFirst: numbers of dates have the month first, as in the United States.
	monthFirst bool
}

// maxRead bounds the text that the rules are matched with, which takes a second for each 30 KB on a busy machine.
const maxRead = 24 << 10

// Read returns what a mail means. Languages with similar words are tried until one is clear.
func Read(m Mail) reply.Reading {
	b := readRules()
	wrote := m.Date
	if wrote.IsZero() {
		wrote = m.ReceivedAt
	}
	reading := reply.Reading{Kind: reply.KindUnclear}
	text := m.Text[:min(len(m.Text), maxRead)]
	for _, language := range b.ranked(fold(m.Subject + "\n" + text + "\n" + text)) { // the subject may be ours
		r := &reader{all: b.all, mail: m, wrote: wrote, rules: language}
		for _, s := range sentences(text) {
			if !r.Footer.MatchString(s.folded) {
				r.sentences = append(r.sentences, s)
			}
		}
		r.monthFirst = r.language == "en" && r.american()
		if reading = r.read(); reading.Kind != reply.KindUnclear {
			break
		}
	}
	reading.Excerpt = short(reading.Excerpt)
	return reading
}

// american reports whether numbers of dates have the month first: one of them allows nothing else, or is the day on
// which the mail was written, and the mail was written in America.
func (r *reader) american() bool {
	_, offset := r.wrote.Zone()
	west := offset <= -4*60*60
	for _, s := range r.sentences {
		for _, m := range fullDate.FindAllStringSubmatchIndex(s.folded, -1) {
			switch first, second := number(s.folded, m, 1), number(s.folded, m, 2); {
			case first > 12:
				return false
			case second > 12:
				return true
			}
		}
	}
	return west
}

// maxExcerpt bounds an excerpt, in characters.
const maxExcerpt = 300

func short(s string) string {
	if utf8.RuneCountInString(s) <= maxExcerpt {
		return s
	}
	return string([]rune(s)[:maxExcerpt-1]) + "…"
}

// read decides. Demands, refusals and confirmations exclude each other in this order, except that an explicit
// confirmation counts more than a demand, and than a refusal before it.
func (r *reader) read() reply.Reading {
	subject := fold(r.mail.Subject)
	confirmed, confirms := r.confirmed()
	refused, refuses := r.refused()
	needed, needs := r.needed()
	if refuses && !needs && refused.Reason == cancellation.ReasonUserNotFound {
		needed, needs = r.wished(needed)
	}
	strong := confirms && confirmed.Confidence > 0.9
	if robot, is := r.robot(subject); is && (!strong || r.mail.Bounce) {
		return robot
	}
	if strong && confirmed.EndDate == "" && r.pending() {
		confirms, strong = false, false
	}
	switch {
	case refuses && refused.Reason == cancellation.ReasonAlreadyCancelled:
		return refused
	case needs && !strong && (!refuses || refused.Reason != cancellation.ReasonBindingPeriod):
		return needed
	case refuses && (!strong || !r.after(confirmed, refused)):
		return refused
	case confirms && (strong || !r.offers(2)):
		return confirmed
	}
	if offer, is := r.first(&r.Offer); is && r.offers(2) {
		return reply.Reading{Kind: reply.KindOffer, Excerpt: offer.raw, Rule: r.ruleID("offer", -1), Confidence: 0.7}
	}
	if s, is := r.first(&r.Received); is {
		n, _ := r.Received.which(s.folded)
		return reply.Reading{Kind: reply.KindReceived, Excerpt: s.raw, Rule: r.ruleID("received", n), Confidence: 0.7}
	}
	if n, _ := r.Received.which(subject); n >= 0 && !r.all.Plea.MatchString(subject) {
		return reply.Reading{Kind: reply.KindReceived, Excerpt: r.mail.Subject, Rule: r.ruleID("received", n), Confidence: 0.6}
	}
	return r.guess()
}

// guess takes the best of what is left, which is too little to change a status: the day that a mail about a contract
// names, a field, or one word of an offer.
func (r *reader) guess() reply.Reading {
	out := reply.Reading{Kind: reply.KindConfirmed, Confidence: 0.5, Rule: r.ruleID("guess", -1)}
	if !r.all.Topic.MatchString(fold(r.mail.Subject + " " + r.mail.Text)) {
		return reply.Reading{Kind: reply.KindUnclear}
	}
	for _, s := range r.sentences {
		out.Excerpt = s.raw
		for _, d := range r.dates(s.folded, r.wrote, r.monthFirst) {
			left := s.folded[:d.from]
			near := tail(left) + s.folded[d.from:d.to]
			if !d.day.After(r.wrote.AddDate(0, 0, -1)) || !r.End.MatchString(near) || r.depends(left) ||
				r.NotEnd.MatchString(clause(left)) || r.all.Other.MatchString(s.folded) {
				continue
			}
			part, _, _ := strings.Cut(s.folded[d.from:], ", ")
			part = clause(left) + part
			if r.Refuse.MatchString(part) || r.BindingPeriod.MatchString(part) {
				out.Kind, out.Reason, out.LaterDate = reply.KindRejected, cancellation.ReasonBindingPeriod, toDate(d.day)
			} else {
				out.EndDate = toDate(d.day)
			}
			return out
		}
	}
	for _, s := range r.sentences {
		out.NeededFields = r.fieldsIn(s.folded, nil)
		if len(out.NeededFields) > 0 && !r.Refuse.MatchString(s.folded) {
			out.Kind, out.Excerpt = reply.KindNeedsInformation, s.raw
			return out
		}
	}
	if offer, is := r.first(&r.Offer); is && !r.all.Other.MatchString(offer.folded) {
		out.Kind, out.NeededFields, out.Excerpt = reply.KindOffer, nil, offer.raw
		return out
	}
	return reply.Reading{Kind: reply.KindUnclear}
}

// after reports whether the confirmation comes after the refusal or has a date, so that it is the last word.
func (r *reader) after(confirmed, refused reply.Reading) bool {
	at := func(x reply.Reading) int {
		return slices.IndexFunc(r.sentences, func(s sentence) bool { return s.raw == x.Excerpt })
	}
	return at(confirmed) > at(refused) || confirmed.EndDate != "" &&
		(at(confirmed) != at(refused) || refused.Reason == cancellation.ReasonBindingPeriod)
}

// robot recognizes mail that nobody wrote: bounces and out-of-office notes. A receipt with a number is no such mail,
// whoever wrote it.
func (r *reader) robot(subject string) (reply.Reading, bool) {
	if r.mail.Bounce {
		return reply.Reading{Kind: reply.KindAutoReply, Rule: "bounce", Confidence: 1}, true
	}
	away, is := r.first(&r.Away)
	excerpt := away.raw
	if !is {
		excerpt = r.mail.Subject
	}
	for _, b := range readRules().languages { // mail programs have a language of their own
		if b.Auto.MatchString(subject) {
			return reply.Reading{Kind: reply.KindAutoReply, Excerpt: excerpt, Rule: r.ruleID("auto", -1), Confidence: 0.9}, true
		}
	}
	if is || r.mail.Vacation {
		return reply.Reading{Kind: reply.KindAutoReply, Excerpt: excerpt, Rule: r.ruleID("away", -1), Confidence: 0.8}, true
	}
	return reply.Reading{}, false
}

// offers reports whether at least so many of the ways to keep a customer occur.
func (r *reader) offers(least int) bool {
	var all strings.Builder
	all.WriteString(fold(r.mail.Subject) + "\n")
	for _, s := range r.sentences {
		all.WriteString(s.folded + "\n")
	}
	_, count := r.Offer.which(all.String())
	return count >= least
}

func (r *reader) first(p *patterns) (sentence, bool) {
	for _, s := range r.sentences {
		if p.MatchString(s.folded) {
			return s, true
		}
	}
	return sentence{}, false
}

// decides reports whether a sentence states something, rather than asks or makes a condition.
func (r *reader) decides(s sentence) bool {
	return !r.depends(s.folded) && !strings.HasSuffix(s.raw, "?")
}

// depends reports whether a text makes a condition.
func (r *reader) depends(folded string) bool {
	return r.Conditional.MatchString(r.all.Counted.ReplaceAllString(folded, ""))
}

// pending reports whether the confirmation is still to come.
func (r *reader) pending() bool {
	return slices.ContainsFunc(r.sentences, func(s sentence) bool {
		return r.Conditional.MatchString(s.folded) && (r.Received.MatchString(s.folded) || r.Confirm.MatchString(s.folded))
	})
}

// confirmed looks for a confirmation and for its date, which may be in another sentence.
func (r *reader) confirmed() (reply.Reading, bool) {
	out := reply.Reading{Kind: reply.KindConfirmed}
	for _, s := range r.sentences {
		if rule := r.confirms(s); rule != "" {
			out.Excerpt, out.Rule, out.Confidence = s.raw, rule, 0.91
			break
		}
	}
	strong := out.Rule != ""
	agreed := slices.ContainsFunc(r.sentences, func(s sentence) bool {
		return r.Agree.MatchString(s.folded) && r.decides(s) && !r.Refuse.MatchString(s.folded)
	})
	most := 0
	for _, s := range r.sentences {
		ends, _ := r.Ends.which(s.folded)
		if !strong && (strings.HasSuffix(s.raw, "?") || ends < 0 && !agreed || r.Unreal.MatchString(s.folded)) {
			continue
		}
		confirms := r.confirms(s) != ""
		day, points := r.lastDay(s, strong, confirms)
		if strong && !r.decides(s) {
			points -= 2
		}
		if points <= most {
			continue
		}
		out.EndDate, most = toDate(day), points
		switch {
		case !strong && ends < 0:
			out.Excerpt, out.Rule, out.Confidence = s.raw, r.ruleID("agree", -1), 0.82
		case !strong:
			out.Excerpt, out.Rule, out.Confidence = s.raw, r.ruleID("ends", ends), 0.85
		case confirms:
			out.Excerpt, out.Confidence = s.raw, 0.97
		default:
			out.Confidence = 0.95
		}
	}
	if strong && out.EndDate == "" {
		out.EndDate = r.onlyDay()
	}
	return out, out.Confidence > 0
}

// onlyDay returns the only day to come until which a sentence says that something is or is not. The confirmation may
// refer to it.
func (r *reader) onlyDay() deadline.Date {
	var only deadline.Date
	for _, s := range r.sentences {
		for _, d := range r.dates(s.folded, r.wrote, r.monthFirst) {
			if left := tail(s.folded[:d.from]); !d.day.After(r.wrote) || !r.End.MatchString(left) || r.NotEnd.MatchString(left) {
				continue
			}
			if only != "" && only != toDate(d.day) {
				return ""
			}
			only = toDate(d.day)
		}
	}
	return only
}

// confirms returns the rule by which a sentence accepts the cancellation, or "".
func (r *reader) confirms(s sentence) string {
	if !r.decides(s) {
		return ""
	}
	if rule, _ := r.Lapse.which(s.folded); rule >= 0 {
		return r.ruleID("lapse", rule)
	}
	masked := r.Receipt.ReplaceAllString(s.folded, "§")
	for _, part := range append([]string{masked}, strings.Split(masked, ", ")...) {
		if rule, _ := r.Confirm.which(part); rule >= 0 && !r.Unreal.MatchString(part) {
			return r.ruleID("confirm", rule)
		}
	}
	return ""
}

var parentheses = regexp.MustCompile(`\([^()]*\)`)

// lastDay returns the date in a sentence that is most likely the last day of the contract, and its points, which are
// not positive if there is none. Unless the mail confirms explicitly (strong), a day does not count after a condition
// or a minimum term.
func (r *reader) lastDay(s sentence, strong, confirms bool) (day time.Time, most int) {
	all := r.dates(s.folded, r.wrote, r.monthFirst)
	isLabel := label.MatchString(s.raw) && strings.Index(s.folded, ":") < 45
	for i, d := range all {
		from, to := 0, len(s.folded)
		if i > 0 {
			from = all[i-1].to
		}
		if i+1 < len(all) {
			to = all[i+1].from
		}
		before := s.folded[:d.from]
		if !strong && (r.depends(before) || r.BindingPeriod.MatchString(before)) {
			continue
		}
		left := parentheses.ReplaceAllString(s.folded[from:d.from], "")
		right, _, _ := strings.Cut(s.folded[d.to:to], ",")
		points := 0
		switch {
		case r.Ends.MatchString(left + " "):
			points += 4
		case r.Ends.MatchString(left + "§ " + right):
			points += 2
		}
		if confirms {
			points += 2
		}
		if r.End.MatchString(tail(left)) || r.End.MatchString(s.folded[d.from:d.to]) {
			points++
		}
		if isLabel {
			left = before
		}
		if r.NotEnd.MatchString(clause(left)) {
			points -= 4
		}
		if r.NotEnd.MatchString(right) {
			points--
		}
		if d.day.Before(r.wrote.AddDate(0, 0, -1)) {
			points -= 3
		}
		if points > most {
			day, most = d.day, points
		}
	}
	return day, most
}

var joint = regexp.MustCompile(`^.*(?:, | (?:und|and|et|y|en|och|og|oraz|ja) )`)

// clause returns what stands before a date in its clause.
func clause(left string) string { return left[len(joint.FindString(left)):] }

// tail returns the last words before a date.
func tail(left string) string {
	const words = 25
	if len(left) > words {
		return strings.ToValidUTF8(left[len(left)-words:], "")
	}
	return left
}

// refused looks for a refusal, its reason and the day that it names.
func (r *reader) refused() (reply.Reading, bool) {
	out := reply.Reading{Kind: reply.KindRejected, Confidence: 0.92}
	reasons := []struct {
		reason cancellation.StatusReason
		rules  *patterns
	}{
		{cancellation.ReasonAlreadyCancelled, &r.AlreadyCancelled}, {cancellation.ReasonUserNotFound, &r.UserNotFound},
		{cancellation.ReasonInconsistentData, &r.InconsistentData}, {cancellation.ReasonBindingPeriod, &r.BindingPeriod},
	}
	refusal := ""
	for _, s := range r.sentences {
		if r.Refuse.MatchString(s.folded) && r.decides(s) {
			refusal = s.raw
			break
		}
	}
	for _, c := range reasons {
		for _, s := range r.sentences {
			rule, _ := c.rules.which(s.folded)
			if rule < 0 || strings.HasSuffix(s.raw, "?") {
				continue
			}
			alone := c.reason == cancellation.ReasonAlreadyCancelled && r.decides(s) ||
				(c.reason == cancellation.ReasonUserNotFound || c.reason == cancellation.ReasonInconsistentData && rule == 0) &&
					r.all.Contract.MatchString(s.folded)
			if refusal == "" && !alone {
				continue
			}
			if c.reason == cancellation.ReasonUserNotFound && !r.all.Contract.MatchString(s.folded) {
				continue
			}
			if c.reason == cancellation.ReasonAlreadyCancelled && (!r.decides(s) || r.AlreadyMeansNow && r.hasComing(s)) {
				continue
			}
			if c.reason == cancellation.ReasonUserNotFound &&
				(r.BindingPeriod.MatchString(s.folded) || r.Lapse.MatchString(s.folded)) {
				continue
			}
			out.Reason, out.Excerpt, out.Rule = c.reason, s.raw, r.ruleID(string(c.reason), rule)
			if c.reason == cancellation.ReasonBindingPeriod {
				out.LaterDate = r.laterDate()
			}
			return out, true
		}
	}
	return out, false
}

// hasComing reports whether a sentence has a date that is still to come.
func (r *reader) hasComing(s sentence) bool {
	return slices.ContainsFunc(r.dates(s.folded, r.wrote, r.monthFirst),
		func(d found) bool { return d.day.After(r.wrote) })
}

// laterDate returns the day before which the contract cannot end.
func (r *reader) laterDate() (later deadline.Date) {
	most := 0
	for _, s := range r.sentences {
		bound := r.BindingPeriod.MatchString(s.folded) || r.Refuse.MatchString(s.folded)
		for _, d := range r.dates(s.folded, r.wrote, r.monthFirst) {
			if !d.day.After(r.wrote) {
				continue
			}
			points := 1
			if bound {
				points += 3
			}
			left := s.folded[:d.from]
			if r.Ends.MatchString(s.folded) || r.BindingPeriod.MatchString(tail(left)) {
				points += 2
			}
			if r.End.MatchString(tail(left)) {
				points++
			}
			if strings.ContainsAny(s.folded[d.from:d.to], "0123456789") {
				points++ // "31 March" rather than "the end of the year"
			}
			if r.NotEnd.MatchString(tail(left)) {
				points -= 3
			}
			if points > most || points == most && toDate(d.day) > later && bound {
				later, most = toDate(d.day), points
			}
		}
	}
	return later
}

// needed looks for what the organization asks for. A list below a demand belongs to it.
func (r *reader) needed() (reply.Reading, bool) {
	out := reply.Reading{Kind: reply.KindNeedsInformation, Confidence: 0.85}
	open := -1 // the paragraph of a demand that ends with a colon
	for i, s := range r.sentences {
		rule, _ := r.Need.which(s.folded)
		asks := rule >= 0 && !r.all.NotNeed.MatchString(s.folded)
		listed := open >= 0 && s.paragraph <= open+1 && (s.item || len(s.raw) < 90)
		if !asks && !listed {
			continue
		}
		before := len(out.NeededFields)
		out.NeededFields = r.fieldsIn(s.folded, out.NeededFields)
		if before == 0 && len(out.NeededFields) > 0 {
			out.Excerpt, out.Rule = s.raw, r.ruleID("need", rule)
		}
		if asks && strings.HasSuffix(s.raw, ":") && i+1 < len(r.sentences) {
			open = r.sentences[i+1].paragraph
		}
	}
	return out, len(out.NeededFields) > 0
}

// wished looks for fields that are named in another sentence than the one that found nobody.
func (r *reader) wished(out reply.Reading) (reply.Reading, bool) {
	for _, s := range r.sentences {
		if !r.UserNotFound.MatchString(s.folded) && !r.Refuse.MatchString(s.folded) && out.NeededFields == nil {
			out.NeededFields, out.Excerpt, out.Rule = r.fieldsIn(s.folded, nil), s.raw, r.ruleID("wished", -1)
		}
	}
	return out, out.NeededFields != nil
}

// fieldsIn adds the fields that a text names. ADDRESS is that of a place.
func (r *reader) fieldsIn(folded string, known []string) []string {
	mail := r.Fields["EMAIL"]
	for _, key := range slices.Sorted(maps.Keys(r.Fields)) {
		p, text := r.Fields[key], folded
		if key == "ADDRESS" {
			text = mail.ReplaceAllString(text, "")
		}
		if p.MatchString(text) && !slices.Contains(known, key) {
			known = append(known, key)
		}
	}
	return known
}
