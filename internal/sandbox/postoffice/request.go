package postoffice

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"aviso/internal/sandbox/mailroom"
)

// maxBody is far larger than any request of the API; files are uploaded separately.
const maxBody = 64 << 10

// document is a JSON:API body. The attributes are parsed one by one, so that an error can
// name the invalid one.
type document struct {
	Data *struct {
		ID            string                     `json:"id"`
		Type          string                     `json:"type"`
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]json.RawMessage `json:"relationships"`
	} `json:"data"`
}

// readBody reads the body and puts it back into the request for its digest.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, mailroom.NewError(http.StatusRequestEntityTooLarge, "")
	}
	if err != nil {
		return nil, badRequest("The body is incomplete.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// attributes reads the body of a call. id is the letter in the path, empty for a new
// letter.
func attributes(r *http.Request, id string) (fields, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != mediaType {
		return nil, mailroom.NewError(http.StatusUnsupportedMediaType, "The body must be "+mediaType+".")
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(body, &d); err != nil || d.Data == nil {
		return nil, badRequest("The body is not a JSON:API document.")
	}
	switch {
	case d.Data.Type != "letters":
		return nil, conflict("/data/type", "The type must be letters.")
	case d.Data.ID != id:
		return nil, conflict("/data/id", "The id must match the path, and must be absent for a new letter.")
	case len(d.Data.Relationships) > 0:
		return nil, &mailroom.APIError{Status: http.StatusUnprocessableEntity, Text: "The preset does not exist.",
			Field: "/data/relationships"}
	}
	return d.Data.Attributes, nil
}

// fields are the attributes of a body.
type fields map[string]json.RawMessage

// only rejects unknown members.
func (f fields) only(names string) error {
	for name := range f {
		if !mailroom.OneOf(name, names) {
			// The name comes from the request, so it is not repeated.
			return invalid("", "The letter has an unknown attribute.")
		}
	}
	return nil
}

func (f fields) given(name string) bool {
	raw, ok := f[name]
	return ok && string(raw) != "null"
}

// text reads a string attribute. A missing one is an error if it is required.
func (f fields) text(name string, required bool, into *string) error {
	if !f.given(name) {
		if required {
			return invalid(name, "The attribute is required.")
		}
		return nil
	}
	if err := json.Unmarshal(f[name], into); err != nil {
		return invalid(name, "The attribute must be a string.")
	}
	if n := utf8.RuneCountInString(*into); n < 1 || n > 2048 {
		return invalid(name, "The attribute is empty or too long.")
	}
	return nil
}

// word reads an attribute that must be one of some words.
func (f fields) word(name, words string, required bool, into *string) error {
	if err := f.text(name, required, into); err != nil || *into == "" {
		return err
	}
	if !mailroom.OneOf(*into, words) {
		return invalid(name, "The attribute must be one of: "+strings.ReplaceAll(words, " ", ", ")+".")
	}
	return nil
}

// These are the values of Pingen's attributes.
const (
	products  = "fast cheap bulk premium registered"
	modes     = "simplex duplex"
	spectra   = "color grayscale"
	positions = "left right"
)

// productPattern matches the product of one postal service, such as dpag_standard.
var productPattern = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)

// print reads how to print and send the letter.
func (f fields) print(l *mailroom.Letter, required bool) error {
	p := &l.Posted
	var product, mode, spectrum string
	if err := f.text("delivery_product", required, &product); err != nil {
		return err
	}
	if product != "" && !mailroom.OneOf(product, products) && !productPattern.MatchString(product) {
		return invalid("delivery_product", "The product does not exist.")
	}
	if err := errors.Join(f.word("print_mode", modes, required, &mode),
		f.word("print_spectrum", spectra, required, &spectrum)); err != nil {
		return err
	}
	country, err := f.metaData()
	if err != nil {
		return err
	}
	p.DeliveryProduct, p.PrintMode, p.PrintSpectrum, p.Country = product, mode, spectrum, cmp.Or(country, p.Country)
	l.How = mailroom.Mail
	if strings.HasSuffix(product, "registered") {
		l.How = mailroom.RegisteredMail
	}
	return nil
}

// metaData checks the addresses of the letter and returns the country of the recipient.
func (f fields) metaData() (country string, err error) {
	if !f.given("meta_data") {
		return "", nil
	}
	var parties map[string]map[string]*string
	if err := json.Unmarshal(f["meta_data"], &parties); err != nil {
		return "", invalid("meta_data", "The attribute must be an object of recipient and sender.")
	}
	for _, name := range []string{"recipient", "sender"} {
		party, ok := parties[name]
		if !ok {
			return "", invalid("meta_data/"+name, "The member is required.")
		}
		for _, needed := range []string{"name", "zip", "city", "country"} {
			if v := party[needed]; v == nil || *v == "" {
				return "", invalid("meta_data/"+name+"/"+needed, "The member is required.")
			}
		}
		for member := range party {
			if !mailroom.OneOf(member, "name street number pobox zip city country") {
				return "", invalid("meta_data/"+name, "The address has an unknown member.")
			}
		}
		if !countryPattern.MatchString(*party["country"]) {
			return "", invalid("meta_data/"+name+"/country", "The member must be a two-letter code.")
		}
	}
	if len(parties) > 2 {
		return "", invalid("meta_data", "The object has an unknown member.")
	}
	return *parties["recipient"]["country"], nil
}

var countryPattern = regexp.MustCompile(`^[A-Z]{2}$`)
