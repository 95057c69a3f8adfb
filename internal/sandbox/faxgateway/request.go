package faxgateway

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"aviso/internal/sandbox/mailroom"
)

// maxBody leaves room for a document in base64 and the other members.
const maxBody = mailroom.MaxDocument*4/3 + 64<<10

// faxRequest is a request to send a fax, of either content type. Its members are those of
// the documentation.
type faxRequest struct {
	To                      numbers           `json:"to"`
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
	File     string `json:"file"`
	FileType string `json:"fileType"`
}

// texts is a text or an array of texts.
type texts []string

// UnmarshalJSON accepts both.
func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = split(one)
		return nil
	}
	var many []string
	err := json.Unmarshal(b, &many)
	*t = many
	return err
}

// numbers is a number, several numbers separated by commas, or an array of numbers.
type numbers = texts

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
	document, err := base64.StdEncoding.DecodeString(f.File)
	switch {
	case len(q.Files) > 1:
		return invalid("files", "The sandbox accepts one file per fax.")
	case err != nil:
		return invalid("files", "The file is not base64.")
	case !mailroom.OneOf(f.FileType, "DOCX PDF TIF JPG TXT HTML PNG"):
		return invalid("files", "The fileType is unknown.")
	}
	q.document, q.hasFile = document, true
	return nil
}

func decodeError(err error) error {
	var large *http.MaxBytesError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &large):
		return tooLarge()
	case errors.As(err, &wrong):
		return invalid(wrong.Field, "The value has the wrong type.")
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return invalid("", "The fax has an unknown field.")
	default:
		return badRequest("The body must be a JSON object.")
	}
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
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return tooLarge()
	}
	return badRequest("The body is not multipart/form-data.")
}

// setField reads one part of a form.
func (q *faxRequest) setField(name, fileName string, content []byte) error {
	text := string(content)
	if label, ok := strings.CutPrefix(name, "labels["); ok && strings.HasSuffix(label, "]") {
		if q.Labels == nil {
			q.Labels = map[string]string{}
		}
		q.Labels[strings.TrimSuffix(label, "]")] = text
		return nil
	}
	switch name {
	case "file":
		if q.hasFile {
			return invalid("file", "The sandbox accepts one file per fax.")
		}
		q.document, q.hasFile, q.fileName = content, true, fileName
	case "to":
		q.To = append(q.To, split(text)...)
	case "contentUrl":
		q.ContentURL = append(q.ContentURL, split(text)...)
	case "from", "callbackUrl", "callbackUrlContentType", "headerText", "headerTimeZone",
		"imageConversionMethod", "resolution", "serviceId", "coverPageId":
		return q.merge(name, mailroom.Encode(text))
	case "maxRetries", "retryDelaySeconds":
		if _, err := strconv.Atoi(text); err != nil {
			return invalid(name, "The value must be a whole number.")
		}
		return q.merge(name, content)
	case "headerPageNumbers", "inProgressNotifications":
		if text != "true" && text != "false" {
			return invalid(name, "The value must be true or false.")
		}
		return q.merge(name, content)
	case "labels", "coverPageData":
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
