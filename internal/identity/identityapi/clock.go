package identityapi

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/identity"
)

type wireClock struct {
	UserID     string     `json:"userId" format:"uuid"`
	Now        time.Time  `json:"now"`
	Status     string     `json:"status" enum:"Ready,Advancing"`
	AdvancedTo *time.Time `json:"advancedTo,omitempty"`
}

type clockData struct {
	Clock wireClock `json:"clock"`
}

type advanceClockInput struct {
	UserPath
	Body struct {
		AdvanceTo *time.Time `json:"advanceTo,omitempty" maxLength:"64"`
		AdvanceBy string     `json:"advanceBy,omitempty" maxLength:"64" pattern:"^P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$" patternDescription:"an ISO 8601 duration such as P1M or PT90M"`
	}
}

// target returns a function from the user's present time to the target, and the member that sets it.
func (in *advanceClockInput) target() (func(time.Time) time.Time, string, error) {
	to, by := in.Body.AdvanceTo, in.Body.AdvanceBy
	if (to == nil) == (by == "") {
		return nil, "", apierror.Invalid(apierror.Field{
			Pointer: "", Code: "one_of", Detail: "Send either advanceTo or advanceBy.",
		})
	}
	if to != nil {
		return func(time.Time) time.Time { return *to }, "/advanceTo", nil
	}
	add, err := parseDuration(by)
	if err != nil {
		return nil, "", apierror.Invalid(apierror.Field{Pointer: "/advanceBy", Code: "duration",
			Detail: "Must be an ISO 8601 duration in whole numbers, such as P1M, P10D or PT90M."})
	}
	return add, "/advanceBy", nil
}

func registerClock(r *api.Router, clocks *identity.UserClocks) {
	const path = "/sandbox/v1/users/{userId}/clock"
	api.Register(r, api.Operation{
		ID: "getClock", Method: http.MethodGet, Path: path, Tag: "Sandbox", Scope: api.Identity,
		Faults: []apierror.Code{apierror.UserNotFound},
	}, func(ctx context.Context, in *UserPath) (*api.Response[clockData], error) {
		c, err := clocks.Get(ctx, in.owner(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(toClockData(c, r.Now)), nil
	})

	api.Register(r, api.Operation{
		ID: "advanceClock", Method: http.MethodPost, Path: path, Tag: "Sandbox", Scope: api.Identity,
		Creates: true, Status: http.StatusAccepted,
		Faults: []apierror.Code{apierror.UserNotFound, apierror.Conflict},
	}, func(ctx context.Context, in *advanceClockInput) (*api.Response[clockData], error) {
		response := func(c identity.UserClock) *api.Response[clockData] {
			return api.With(http.StatusAccepted, toClockData(c, r.Now))
		}
		return api.Make(ctx, response, func(also idempotency.Effect[identity.UserClock]) (identity.UserClock, error) {
			target, pointer, err := in.target()
			if err != nil {
				return identity.UserClock{}, err
			}
			return clocks.Advance(ctx, in.owner(ctx), target, pointer, also)
		})
	})
}

func toClockData(c identity.UserClock, now func() time.Time) clockData {
	w := wireClock{UserID: string(c.ID), Now: c.Setting.At(clock.Read(now)).Time(), Status: "Ready"}
	if c.IsAdvancing() {
		w.Status = "Advancing"
	}
	if !c.Until.IsZero() {
		w.AdvancedTo = &c.Until
	}
	return clockData{Clock: w}
}

// durationPattern matches a duration of ISO 8601-1:2019, 5.5.2, in whole numbers.
var durationPattern = regexp.MustCompile(
	`^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$`)

// parseDuration returns a function that adds an ISO 8601 duration to a time. If the month is too short for the day,
// the result is the month's last day.
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
