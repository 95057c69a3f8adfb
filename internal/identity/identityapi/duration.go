package identityapi

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// durationPattern is a duration of ISO 8601-1:2019, 5.5.2, in whole numbers.
var durationPattern = regexp.MustCompile(
	`^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$`)

// parseDuration returns a function that adds an ISO 8601 duration to a time. A day that the
// month does not have becomes the month's last one.
func parseDuration(s string) (func(time.Time) time.Time, error) {
	match := durationPattern.FindStringSubmatch(s)
	if match == nil || s[len(s)-1] == 'P' || s[len(s)-1] == 'T' {
		return nil, errors.New("want an ISO 8601 duration in whole numbers, such as P1M, P10D or PT90M")
	}
	var n [8]int
	for i, digits := range match {
		if i > 0 && digits != "" {
			n[i], _ = strconv.Atoi(digits)
		}
	}
	return func(t time.Time) time.Time {
		months := t.AddDate(n[1], n[2], 0)
		if months.Day() != t.Day() {
			months = months.AddDate(0, 0, -months.Day())
		}
		return months.AddDate(0, 0, 7*n[3]+n[4]).Add(
			time.Duration(n[5])*time.Hour + time.Duration(n[6])*time.Minute + time.Duration(n[7])*time.Second)
	}, nil
}
