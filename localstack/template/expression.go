package template

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Expression is a schedule: a rate, or cron fields in a time zone.
type Expression struct {
	text  string
	every time.Duration
	cron  *cron
}

// String is the expression as the template has it.
func (e Expression) String() string { return e.text }

// IsCron tells a cron expression from a rate.
func (e Expression) IsCron() bool { return e.cron != nil }

// Next is the first time after t at which the schedule fires; the zero time if
// there is none. A rate counts from t, so the caller passes the time of the last
// firing.
func (e Expression) Next(t time.Time) time.Time {
	if e.cron == nil {
		return t.Add(e.every)
	}
	return e.cron.next(t)
}

// ParseExpression reads rate(5 minutes) or cron(0 3 * * ? *), the latter in the
// named time zone.
func ParseExpression(text, zone string) (Expression, error) {
	inside := func(kind string) (string, bool) {
		rest, ok := strings.CutPrefix(text, kind+"(")
		if !ok {
			return "", false
		}
		return strings.CutSuffix(rest, ")")
	}
	if body, ok := inside("rate"); ok {
		every, err := rate(body)
		if err != nil {
			return Expression{}, fmt.Errorf("schedule %s: %w", text, err)
		}
		return Expression{text: text, every: every}, nil
	}
	if body, ok := inside("cron"); ok {
		location, err := time.LoadLocation(zone)
		if err != nil {
			return Expression{}, fmt.Errorf("schedule %s: %w", text, err)
		}
		c, err := parseCron(body, location)
		if err != nil {
			return Expression{}, fmt.Errorf("schedule %s: %w", text, err)
		}
		return Expression{text: text, cron: c}, nil
	}
	return Expression{}, fmt.Errorf("schedule %s: want rate(...) or cron(...)", text)
}

func rate(body string) (time.Duration, error) {
	fields := strings.Fields(body)
	if len(fields) != 2 {
		return 0, fmt.Errorf("want a number and a unit")
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no positive number", fields[0])
	}
	switch strings.TrimSuffix(fields[1], "s") {
	case "minute":
		return time.Duration(n) * time.Minute, nil
	case "hour":
		return time.Duration(n) * time.Hour, nil
	case "day":
		return time.Duration(n) * 24 * time.Hour, nil
	default:
		return 0, fmt.Errorf("unit %q: want minutes, hours or days", fields[1])
	}
}
