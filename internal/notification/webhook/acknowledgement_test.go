package webhook

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/notification"
)

func TestJudge(t *testing.T) {
	const (
		yes     = notification.OutcomeAcknowledged
		no      = notification.OutcomeNotAcknowledged
		invalid = notification.OutcomeInvalidAcknowledgement
		at      = `"timestamp":"2026-03-01T12:00:00Z"`
		noTime  = "timestamp is not a date and time of ISO 8601"
	)
	time := func(s string) string { return `{"isAcknowledged":true,"timestamp":"` + s + `"}` }
	for name, tt := range map[string]struct {
		body    string
		outcome notification.Outcome
		detail  string
	}{
		"as in the interface":              {ack, yes, ""},
		"surrounding white space":          {"\r\n\t " + ack + " \n", yes, ""},
		"unknown members":                  {`{"a":{"isAcknowledged":false},"isAcknowledged":true,` + at + `,"z":[null]}`, yes, ""},
		"offset and fraction":              {time("2026-03-01T12:00:00.123456789+05:30"), yes, ""},
		"lower case t and z":               {time("2026-03-01t12:00:00z"), yes, ""},
		"no offset":                        {time("2026-03-01T12:00:00"), yes, ""},
		"no seconds":                       {time("2026-03-01T21:30Z"), yes, ""},
		"an offset without a colon":        {time("2026-03-01T12:00:00+0100"), yes, ""},
		"an offset of hours":               {time("2026-03-01T12:00:00+01"), yes, ""},
		"the basic form":                   {time("20260301T120000Z"), yes, ""},
		"a space and a comma":              {time("2026-03-01 12:00:00,5Z"), yes, ""},
		"a leap second":                    {time("2026-06-30T23:59:60Z"), yes, ""},
		"a byte order mark":                {"\ufeff" + ack, yes, ""},
		"escaped member name":              {`{"\u0069sAcknowledged":true,` + at + `}`, yes, ""},
		"false":                            {`{"isAcknowledged":false,` + at + `}`, no, "isAcknowledged is false"},
		"false without timestamp":          {`{"isAcknowledged":false}`, no, "isAcknowledged is false"},
		"empty":                            {"", invalid, "the body is empty"},
		"white space only":                 {" \r\n", invalid, "the body is empty"},
		"text":                             {"OK", invalid, "the body is not JSON"},
		"HTML":                             {"<html></html>", invalid, "the body is not JSON"},
		"form":                             {"isAcknowledged=true", invalid, "the body is not JSON"},
		"cut off":                          {ack[:len(ack)-1], invalid, "the body is not JSON"},
		"two values":                       {ack + ack, invalid, "the body is not JSON"},
		"trailing text":                    {ack + "x", invalid, "the body is not JSON"},
		"single quotes":                    {strings.ReplaceAll(ack, `"`, `'`), invalid, "the body is not JSON"},
		"trailing comma":                   {`{"isAcknowledged":true,` + at + `,}`, invalid, "the body is not JSON"},
		"deep nesting":                     {strings.Repeat("[", 16000), invalid, "the body is not JSON"},
		"NUL bytes":                        {"\x00\x00", invalid, "the body is not JSON"},
		"array":                            {"[" + ack + "]", invalid, "the body is JSON but not an object"},
		"null":                             {"null", invalid, "the body is JSON but not an object"},
		"true":                             {"true", invalid, "the body is JSON but not an object"},
		"JSON in a string":                 {`"{\"isAcknowledged\":true}"`, invalid, "the body is JSON but not an object"},
		"empty object":                     {"{}", invalid, "isAcknowledged is missing"},
		"wrapped in data":                  {`{"data":` + ack + `}`, invalid, "isAcknowledged is missing"},
		"other case":                       {`{"IsAcknowledged":true,` + at + `}`, invalid, "isAcknowledged is missing"},
		"lower case":                       {`{"isacknowledged":true,` + at + `}`, invalid, "isAcknowledged is missing"},
		"isAcknowledged a string":          {`{"isAcknowledged":"true",` + at + `}`, invalid, "isAcknowledged is a string, not true"},
		"isAcknowledged a number":          {`{"isAcknowledged":1,` + at + `}`, invalid, "isAcknowledged is a number, not true"},
		"isAcknowledged negative":          {`{"isAcknowledged":-1,` + at + `}`, invalid, "isAcknowledged is a number, not true"},
		"isAcknowledged null":              {`{"isAcknowledged":null,` + at + `}`, invalid, "isAcknowledged is null, not true"},
		"isAcknowledged an object":         {`{"isAcknowledged":{},` + at + `}`, invalid, "isAcknowledged is an object, not true"},
		"isAcknowledged an array":          {`{"isAcknowledged":[true],` + at + `}`, invalid, "isAcknowledged is an array, not true"},
		"no timestamp":                     {`{"isAcknowledged":true}`, invalid, "timestamp is missing"},
		"timestamp in other case":          {`{"isAcknowledged":true,"timeStamp":"2026-03-01T12:00:00Z"}`, invalid, "timestamp is missing"},
		"timestamp a number":               {`{"isAcknowledged":true,"timestamp":1772366400}`, invalid, "timestamp is a number, not a string"},
		"timestamp null":                   {`{"isAcknowledged":true,"timestamp":null}`, invalid, "timestamp is null, not a string"},
		"timestamp a boolean":              {`{"isAcknowledged":true,"timestamp":true}`, invalid, "timestamp is a boolean, not a string"},
		"timestamp empty":                  {time(""), invalid, noTime},
		"timestamp with one digit":         {time("2026-03-01T1:00:00Z"), invalid, noTime},
		"timestamp with an invalid minute": {time("2026-03-01T12:60Z"), invalid, noTime},
		"timestamp with an invalid second": {time("2026-03-01T12:00:61Z"), invalid, noTime},
		"timestamp with an invalid day":    {time("2026-02-30T12:00:00Z"), invalid, noTime},
		"timestamp a date":                 {time("2026-03-01"), invalid, noTime},
		"timestamp in HTTP's form":         {time("Sun, 01 Mar 2026 12:00:00 GMT"), invalid, noTime},
		"timestamp with an invalid offset": {time("2026-03-01T12:00:00+25:00"), invalid, noTime},
	} {
		t.Run(name, func(t *testing.T) {
			outcome, detail := judge([]byte(tt.body))
			assert.Equal(t, tt.outcome, outcome)
			assert.Equal(t, tt.detail, detail)
		})
	}
}

// FuzzJudge shows that no response crashes the process or is quoted in the detail.
func FuzzJudge(f *testing.F) {
	for _, s := range []string{ack, "", "null", `{"isAcknowledged":0}`, `{"isAcknowledged":true,"timestamp":"x"}`, `{"":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		outcome, detail := judge(body)
		assert.Equal(t, outcome == notification.OutcomeAcknowledged, detail == "")
		if outcome == notification.OutcomeAcknowledged {
			assert.Contains(t, string(body), "true")
		}
	})
}
