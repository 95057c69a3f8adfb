package faxgateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones
	"unicode/utf8"

	"aviso/internal/sandbox/mailroom"
)

// maxBody leaves room for a document in base64 and the other members.
const maxBody = mailroom.MaxDocument*4/3 + 64<<10

// faxRequest is a request to send a fax, of either content type. Its members are those of
// the documentation.
type faxRequest struct {
	To                      texts             `json:"to"`
	From                    string            `json:"from"`
	Files                   []base64File      `json:"files"`
	ContentURL              texts             `json:"contentUrl"`
	Labels                  map[string]string `json:"labels"`
	CallbackURL             string            `json:"callbackUrl"`
	CallbackURLContentType  string            `json:"callbackUrlContentType"`
	MaxRetries              int               `json:"maxRetries"`
	RetryDelaySeconds       int               `json:"retryDelaySeconds"`
	HeaderText              string            `json:"headerText"`
	HeaderPageNumbers       bool              `json:"headerPageNumbers"`
	HeaderTimeZone          string            `json:"headerTimeZone"`
	ImageConversionMethod   string            `json:"imageConversionMethod"`
	Resolution              string            `json:"resolution"`
	ServiceID               string            `json:"serviceId"`
	CoverPageID             string            `json:"coverPageId"`
	CoverPageData           map[string]string `json:"coverPageData"`
	InProgressNotifications bool              `json:"inProgressNotifications"`

	document []byte
	hasFile  bool
	fileName string
}

type base64File struct {
	File     []byte `json:"file"` // in base64
	FileType string `json:"fileType"`
}

// texts is a text, several texts separated by commas, or an array of texts.
type texts []string

// UnmarshalJSON accepts all of them.
func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = append(*t, split(one)...) // in a form there may be several
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

func split(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func readRequest(r *http.Request) (q faxRequest, err error) {
	q.MaxRetries, q.RetryDelaySeconds, q.HeaderPageNumbers = 3, 60, true
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	r.Body = http.MaxBytesReader(nil, r.Body, maxBody)
	switch {
	case err == nil && media == jsonType:
		err = q.readJSON(r)
	case err == nil && media == multipartType:
		err = q.readMultipart(r)
	default:
		err = mailroom.NewError(http.StatusUnsupportedMediaType,
			"The body must be multipart/form-data or application/json.")
	}
	return q, err
}

func (q *faxRequest) readJSON(r *http.Request) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(q); err != nil {
		return decodeError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badRequest("The body holds more than one JSON value.")
	}
	if len(q.Files) == 0 {
		return nil
	}
	f := q.Files[0]
	switch {
	case len(q.Files) > 1:
		return invalid("files", "The sandbox accepts one file per fax.")
	case !mailroom.OneOf(f.FileType, "DOCX PDF TIF JPG TXT HTML PNG"):
		return invalid("files", "The fileType is unknown.")
	}
	q.document, q.hasFile = f.File, true
	return nil
}

const tooLarge = "The sandbox accepts documents of at most 300 KB."

func decodeError(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalid(wrong.Field, "The value has the wrong type.")
	}
	if _, ok := errors.AsType[base64.CorruptInputError](err); ok {
		return invalid("files", "The file is not base64.")
	}
	if strings.HasPrefix(err.Error(), "json: unknown field") {
		return invalid("", "The fax has an unknown field.")
	}
	return mailroom.ReadError(err, tooLarge, "The body must be a JSON object.")
}

func (q *faxRequest) readMultipart(r *http.Request) error {
	parts, err := r.MultipartReader()
	for err == nil {
		var part *multipart.Part
		if part, err = parts.NextPart(); err != nil {
			break
		}
		var content []byte
		if content, err = io.ReadAll(part); err != nil {
			break
		}
		if err := q.setField(part.FormName(), part.FileName(), content); err != nil {
			return err
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return mailroom.ReadError(err, tooLarge, "The body is not multipart/form-data.")
}

// These are the fields of a form that are texts, and those whose content is JSON.
const (
	textFields = "to contentUrl from callbackUrl callbackUrlContentType headerText headerTimeZone " +
		"imageConversionMethod resolution serviceId coverPageId"
	jsonFields = "maxRetries retryDelaySeconds headerPageNumbers inProgressNotifications labels coverPageData"
)

// setField reads one part of a form.
func (q *faxRequest) setField(name, fileName string, content []byte) error {
	label, isLabel := strings.CutPrefix(name, "labels[")
	switch {
	case isLabel && strings.HasSuffix(label, "]"):
		if q.Labels == nil {
			q.Labels = map[string]string{}
		}
		q.Labels[strings.TrimSuffix(label, "]")] = string(content)
	case name == "file" && q.hasFile:
		return invalid("file", "The sandbox accepts one file per fax.")
	case name == "file":
		q.document, q.hasFile, q.fileName = content, true, fileName
	case mailroom.OneOf(name, textFields):
		return q.merge(name, mailroom.Encode(string(content)))
	case mailroom.OneOf(name, jsonFields):
		return q.merge(name, content)
	default:
		return invalid("", "The fax has an unknown field.")
	}
	return nil
}

// merge sets one member from its JSON value.
func (q *faxRequest) merge(name string, value []byte) error {
	if !json.Valid(value) {
		return invalid(name, "The value has the wrong type.")
	}
	if err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), q); err != nil {
		return invalid(name, "The value has the wrong type.")
	}
	return nil
}

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
		return l, mailroom.NewError(http.StatusRequestEntityTooLarge, tooLarge)
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
