package mailroom

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones
)

// maxFaxBody leaves room for a document in base64 and the other members.
const maxFaxBody = MaxDocument*4/3 + 64<<10

// faxRequest is a request to send a fax. Its members are those of the documentation.
type faxRequest struct {
	To                     string            `json:"to"`
	From                   string            `json:"from"`
	Files                  []file            `json:"files"`
	Labels                 map[string]string `json:"labels"`
	CallbackURL            string            `json:"callbackUrl"`
	CallbackURLContentType string            `json:"callbackUrlContentType"`
	MaxRetries             int               `json:"maxRetries"`
	HeaderTimeZone         string            `json:"headerTimeZone"`
	Resolution             string            `json:"resolution"`
	ServiceID              string            `json:"serviceId"`
}

type file struct {
	File     []byte `json:"file"` // in base64
	FileType string `json:"fileType"`
}

const (
	jsonType = "application/json"
	tooLarge = "The sandbox accepts documents of at most 300 KB."
)

func readRequest(r *http.Request) (faxRequest, error) {
	q := faxRequest{MaxRetries: 3}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != jsonType {
		return q, NewError(http.StatusUnsupportedMediaType, "The body must be application/json.")
	}
	d := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxFaxBody))
	d.DisallowUnknownFields()
	err := d.Decode(&q)
	if err == nil {
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return q, badRequest("The body holds more than one JSON value.")
		}
		return q, nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return q, invalidFax(wrong.Field, "The value has the wrong type.")
	}
	if _, ok := errors.AsType[base64.CorruptInputError](err); ok {
		return q, invalidFax("files", "The file is not base64.")
	}
	if strings.HasPrefix(err.Error(), "json: unknown field") {
		return q, invalidFax("", "The fax has an unknown field.")
	}
	return q, ReadError(err, tooLarge, "The body must be a JSON object.")
}

// numberPattern matches E.164.
var numberPattern = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// letter validates the request and converts it to a fax without an ID.
func (q faxRequest) letter(base string) (Letter, error) {
	l := Letter{
		How: ByFax, Base: base, HasFile: true, To: q.To, Partner: q.Labels["partnerId"],
		CancellationID: FindCancellation(q.Labels["cancellationId"]),
		Faxed: Faxed{
			From: q.From, Labels: q.Labels, ServiceID: q.ServiceID, MaxRetries: q.MaxRetries,
			Resolution: cmp.Or(q.Resolution, "FINE"), HeaderTimeZone: cmp.Or(q.HeaderTimeZone, "America/New_York"),
		},
	}
	_, err := time.LoadLocation(l.Faxed.HeaderTimeZone)
	switch {
	case !numberPattern.MatchString(q.To):
		return l, invalidFax("to", "The number is required, in E.164 format.")
	case q.From != "" && !numberPattern.MatchString(q.From):
		return l, invalidFax("from", "The number must be in E.164 format.")
	case len(q.Files) == 0 || len(q.Files[0].File) == 0:
		return l, invalidFax("file", "A file is required, which is not empty.")
	case len(q.Files) > 1:
		return l, invalidFax("files", "The sandbox accepts one file per fax.")
	case !OneOf(q.Files[0].FileType, "DOCX PDF TIF JPG TXT HTML PNG"):
		return l, invalidFax("files", "The fileType is unknown.")
	case len(q.Files[0].File) > MaxDocument:
		return l, NewError(http.StatusRequestEntityTooLarge, tooLarge)
	case q.MaxRetries < 0 || q.MaxRetries > 5:
		return l, invalidFax("maxRetries", "The value must be from 0 to 5.")
	case err != nil:
		return l, invalidFax("headerTimeZone", "The time zone is unknown.")
	case !OneOf(l.Faxed.Resolution, "FINE SUPERFINE"):
		return l, invalidFax("resolution", "The value must be FINE or SUPERFINE.")
	}
	return l, q.callback(&l.Faxed, base)
}

// callback validates where the result is reported.
func (q faxRequest) callback(f *Faxed, base string) error {
	if q.CallbackURL == "" {
		return nil
	}
	if q.CallbackURLContentType != jsonType {
		return invalidFax("callbackUrlContentType", "The sandbox sends application/json only.")
	}
	u, err := url.Parse(q.CallbackURL)
	home, baseErr := url.Parse(base)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "":
		return invalidFax("callbackUrl", "The value is not a URL.")
	case baseErr != nil || u.Scheme != home.Scheme || !strings.EqualFold(u.Host, home.Host):
		return invalidFax("callbackUrl", "The sandbox sends callbacks only to its own environment.")
	}
	f.CallbackURL, f.CallbackType = q.CallbackURL, jsonType
	return nil
}
