package faxgateway

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones
	"unicode/utf8"

	"aviso/internal/sandbox/mailroom"
)

// numberPattern matches E.164.
var numberPattern = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

const (
	multipartType = "multipart/form-data"
	jsonType      = "application/json"
)

// letter validates the request and converts it to a fax without an ID.
func (q faxRequest) letter(base string) (mailroom.Letter, error) {
	l := mailroom.Letter{Carrier: mailroom.Fax, How: mailroom.ByFax, Base: base, FileName: q.fileName,
		HasFile: q.hasFile}
	switch {
	case len(q.To) == 0:
		return l, invalid("to", "The number is required.")
	case len(q.To) > 1:
		return l, invalid("to", "The sandbox accepts one number per fax.")
	case !numberPattern.MatchString(q.To[0]):
		return l, invalid("to", "The number must be in E.164 format.")
	case q.From != "" && !numberPattern.MatchString(q.From):
		return l, invalid("from", "The number must be in E.164 format.")
	case !q.hasFile && len(q.ContentURL) == 0:
		return l, invalid("file", "At least one file or contentUrl is required.")
	case len(q.document) > mailroom.MaxDocument:
		return l, tooLarge()
	case q.hasFile && len(q.document) == 0:
		return l, invalid("file", "The file is empty.")
	}
	l.To, l.CancellationID = q.To[0], mailroom.FindCancellation(q.Labels["cancellationId"])
	l.Partner = q.Labels["partnerId"]
	f := &l.Faxed
	f.From, f.ContentURLs, f.Labels, f.ServiceID = q.From, q.ContentURL, q.Labels, q.ServiceID
	if err := q.options(f); err != nil {
		return l, err
	}
	return l, q.callback(f, base)
}

// options validates how to send the fax.
func (q faxRequest) options(f *mailroom.Faxed) error {
	f.MaxRetries, f.RetryDelaySeconds = q.MaxRetries, q.RetryDelaySeconds
	f.HeaderText, f.PlainHeader = q.HeaderText, !q.HeaderPageNumbers
	f.ImageConversion, f.Resolution = cmp.Or(q.ImageConversionMethod, "HALFTONE"), cmp.Or(q.Resolution, "FINE")
	f.HeaderTimeZone = cmp.Or(q.HeaderTimeZone, "America/New_York")
	switch _, err := time.LoadLocation(f.HeaderTimeZone); {
	case slices.ContainsFunc(q.ContentURL, isNotURL):
		return invalid("contentUrl", "The value is not a URL.")
	case f.MaxRetries < 0 || f.MaxRetries > 5:
		return invalid("maxRetries", "The value must be from 0 to 5.")
	case f.RetryDelaySeconds < 30 || f.RetryDelaySeconds > 300:
		return invalid("retryDelaySeconds", "The value must be from 30 to 300.")
	case utf8.RuneCountInString(q.HeaderText) > 50:
		return invalid("headerText", "The text has more than 50 characters.")
	case err != nil:
		return invalid("headerTimeZone", "The time zone is unknown.")
	case !mailroom.OneOf(f.ImageConversion, "HALFTONE MONOCHROME"):
		return invalid("imageConversionMethod", "The value must be HALFTONE or MONOCHROME.")
	case !mailroom.OneOf(f.Resolution, "FINE SUPERFINE"):
		return invalid("resolution", "The value must be FINE or SUPERFINE.")
	}
	return nil
}

func isNotURL(text string) bool {
	u, err := url.Parse(text)
	return err != nil || u.Host == ""
}

// callback validates where the result is reported.
func (q faxRequest) callback(f *mailroom.Faxed, base string) error {
	f.CallbackType = cmp.Or(q.CallbackURLContentType, multipartType)
	if !mailroom.OneOf(f.CallbackType, multipartType+" "+jsonType) {
		return invalid("callbackUrlContentType", "The value must be multipart/form-data or application/json.")
	}
	if q.CallbackURL == "" {
		return nil
	}
	u, err := url.Parse(q.CallbackURL)
	home, baseErr := url.Parse(base)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "":
		return invalid("callbackUrl", "The value is not a URL.")
	case baseErr != nil || u.Scheme != home.Scheme || !strings.EqualFold(u.Host, home.Host):
		return invalid("callbackUrl", "The sandbox sends callbacks only to its own environment.")
	}
	f.CallbackURL = q.CallbackURL
	return nil
}
