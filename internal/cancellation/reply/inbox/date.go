package inbox

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/cancellation/deadline"
)

// found is a date in a sentence, with its place.
type found struct {
	day      time.Time
	from, to int
}

// The forms of dates. A day and a month without a year need the punctuation that people use.
var (
	isoDate   = regexp.MustCompile(`\b(20\d\d)-(\d{1,2})-(\d{1,2})\b`)
	fullDate  = regexp.MustCompile(`\b(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(20\d\d|\d\d)\b`)
	shortDate = regexp.MustCompile(`\b(\d{1,2})(?:\.\s?(\d{1,2})\.|/(\d{1,2})\b)`)
	wordDate  = regexp.MustCompile(`\b(\d{1,2}|premier|primer[oa]?|primeiro|primo|erste[nr]|eersten?|first)` +
		`(?:\.|er|º|o|°|st|nd|rd|th|:?[ae]|-?go)?\s+(?:de |d'|of |dia )?([a-z]{3,})\.?(?:,? (?:de |del |do )?(20\d\d))?`)
	monthFirst = regexp.MustCompile(`\b([a-z]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (20\d\d))?\b`)
	afterEnd   = regexp.MustCompile(`^\s*(?:de |d'|of |i |av |af |van )?([a-z]{3,})\.?(?:,? (?:de |del |do )?(20\d\d))?`)
	beforeEnd  = regexp.MustCompile(`([a-z]{3,}kuun) $`)
)

// dates returns the dates in a folded sentence in their order. wrote is when the mail was written. It completes
// dates without a year, as the next day of that name.
func (r *rules) dates(s string, wrote time.Time, monthFirstNumbers bool) []found {
	var all []found
	add := func(at []int, year, month, day int) {
		overlaps := func(f found) bool { return at[0] < f.to && f.from < at[1] }
		if slices.ContainsFunc(all, overlaps) {
			return
		}
		if year > 0 && year < 100 {
			year += 2000
		}
		if year == 0 {
			year = wrote.Year()
			if d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC); d.Before(wrote.AddDate(0, -2, 0)) {
				year++
			}
		}
		d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if month >= 1 && d.Month() == time.Month(month) && d.Day() == day {
			all = append(all, found{d, at[0], at[1]})
		}
	}
	for _, m := range isoDate.FindAllStringSubmatchIndex(s, -1) {
		add(m, number(s, m, 1), number(s, m, 2), number(s, m, 3))
	}
	for _, m := range fullDate.FindAllStringSubmatchIndex(s, -1) {
		day, month := number(s, m, 1), number(s, m, 2)
		if month > 12 || monthFirstNumbers && day <= 12 {
			day, month = month, day
		}
		add(m, number(s, m, 3), month, day)
	}
	for _, m := range wordDate.FindAllStringSubmatchIndex(s, -1) {
		if month := r.month(s[m[4]:m[5]]); month > 0 {
			add(m, number(s, m, 3), month, max(number(s, m, 1), 1))
		}
	}
	for _, m := range monthFirst.FindAllStringSubmatchIndex(s, -1) {
		if month := r.month(s[m[2]:m[3]]); month > 0 {
			add(m, number(s, m, 3), month, number(s, m, 2))
		}
	}
	r.ends(s, wrote, add)
	for _, m := range shortDate.FindAllStringSubmatchIndex(s, -1) {
		add(m, 0, max(number(s, m, 2), number(s, m, 3)), number(s, m, 1))
	}
	if len(all) == 0 { // "in ten days, on 30 November" names the day
		r.spans(s, wrote, add)
	}
	slices.SortFunc(all, func(a, b found) int { return a.from - b.from })
	return all
}

// spans adds the days that are counted from the day of the mail, such as "in two weeks".
func (r *rules) spans(s string, wrote time.Time, add func(at []int, year, month, day int)) {
	all := readRules().all
	for _, m := range all.Span.FindAllStringSubmatchIndex(s, -1) {
		n := number(s, m, 2)
		if n == 0 {
			n = all.Numbers[s[m[4]:m[5]]]
		}
		day := wrote.AddDate(0, 0, n)
		switch {
		case m[2] < 0 && m[12] < 0: // "a notice of 30 days"
			continue
		case m[8] >= 0:
			day = wrote.AddDate(0, 0, 7*n)
		case m[10] >= 0:
			day = wrote.AddDate(0, n, 0)
		}
		add(m, day.Year(), int(day.Month()), day.Day())
	}
}

// ends adds the last days of months and years that have no number, such as "end of March", and "immediately".
func (r *rules) ends(s string, wrote time.Time, add func(at []int, year, month, day int)) {
	last := func(at []int, year, month int) {
		if year == 0 {
			year = wrote.Year()
			if month < int(wrote.Month()) {
				year++
			}
		}
		add(at, year, month, time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day())
	}
	for _, at := range r.EndOf.FindAllStringIndex(s, -1) {
		m := afterEnd.FindStringSubmatchIndex(s[at[1]:])
		if m == nil {
			m = beforeEnd.FindStringSubmatchIndex(s[:at[0]])
			if m == nil {
				continue
			}
			if month := r.month(s[m[2]:m[3]]); month > 0 {
				last([]int{m[2], at[1]}, 0, month)
			}
			continue
		}
		if month := r.month(s[at[1]+m[2] : at[1]+m[3]]); month > 0 {
			last([]int{at[0], at[1] + m[1]}, number(s[at[1]:], m, 2), month)
		}
	}
	for _, at := range r.MonthEnd.FindAllStringIndex(s, -1) {
		last(at, wrote.Year(), int(wrote.Month()))
	}
	for _, at := range r.YearEnd.FindAllStringIndex(s, -1) {
		last(at, wrote.Year(), 12)
	}
	for _, at := range r.Now.FindAllStringIndex(s, -1) {
		add(at, wrote.Year(), int(wrote.Month()), wrote.Day())
	}
}

// number returns a group's number, and 0 if the group is absent.
func number(s string, m []int, group int) int {
	if m[2*group] < 0 {
		return 0
	}
	n, _ := strconv.Atoi(s[m[2*group]:m[2*group+1]])
	return n
}

// month returns the month that a word names, and 0 for another word. The longest stem wins, because one may begin
// another.
func (r *rules) month(word string) int {
	best, length := 0, 0
	for i, stems := range r.Months {
		for stem := range strings.SplitSeq(stems, "|") {
			if strings.HasPrefix(word, stem) && len(stem) > length && len(word) <= len(stem)+8 {
				best, length = i+1, len(stem)
			}
		}
	}
	return best
}

func toDate(t time.Time) deadline.Date {
	if t.IsZero() {
		return ""
	}
	return deadline.Date(t.Format(time.DateOnly))
}
