package faxgateway

import (
	"net/url"
	"strings"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// readFilter parses the filter of a list.
func readFilter(q url.Values, now time.Time) (func(mailroom.Letter) bool, error) {
	// The default is the last week.
	from, before := now.Add(-7*24*time.Hour), now.Add(24*time.Hour)
	labels := map[string]string{}
	for name, values := range q {
		value := values[0]
		switch {
		case name == "createTime", name == "createTime>", name == "createTime<":
			begin, end, err := span(value)
			if err != nil {
				return nil, err
			}
			switch name {
			case "createTime>":
				from = begin
			case "createTime<":
				before = end
				if !q.Has("createTime>") {
					from = time.Time{}
				}
			default:
				from, before = begin, end
			}
		case name == "direction" && !mailroom.OneOf(value, "OUTBOUND INBOUND"):
			return nil, invalid(name, "The value must be OUTBOUND or INBOUND.")
		case name == "status" && !mailroom.OneOf(value, string(queued+" "+inProgress+" "+completed+" "+failure)):
			return nil, invalid(name, "The status is unknown.")
		case strings.HasPrefix(name, "labels[") && strings.HasSuffix(name, "]"):
			labels[name[len("labels["):len(name)-1]] = value
		case !mailroom.OneOf(name, "direction status to from serviceId pageSize page"):
			return nil, invalid("", "The query has an unknown parameter.")
		}
	}
	return func(l mailroom.Letter) bool {
		for name, value := range labels {
			if l.Faxed.Labels[name] != value {
				return false
			}
		}
		return q.Get("direction") != "INBOUND" && (!q.Has("status") || q.Get("status") == string(l.State)) &&
			strings.HasPrefix(l.To, q.Get("to")) && strings.HasPrefix(l.Faxed.From, q.Get("from")) &&
			(!q.Has("serviceId") || q.Get("serviceId") == l.Faxed.ServiceID) &&
			!l.CreatedAt.Before(from) && l.CreatedAt.Before(before)
	}, nil
}

// span returns the period that a year, month, day or time stands for. A time stands for
// everything after it.
func span(value string) (begin, end time.Time, err error) {
	for layout, next := range map[string]func(time.Time) time.Time{
		"2006":       func(t time.Time) time.Time { return t.AddDate(1, 0, 0) },
		"2006-01":    func(t time.Time) time.Time { return t.AddDate(0, 1, 0) },
		"2006-01-02": func(t time.Time) time.Time { return t.AddDate(0, 0, 1) },
	} {
		if t, err := time.Parse(layout, value); err == nil {
			return t, next(t), nil
		}
	}
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return begin, end, invalid("createTime", "The value must be a year, month, day or time.")
	}
	return t, t.AddDate(100, 0, 0), nil
}
