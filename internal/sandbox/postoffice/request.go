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

// maxBody is far above any request of the API; files go elsewhere.
const maxBody = 64 << 10

// document is a JSON:API body. Members of the attributes are read one by one, so
// that a refusal can name the one at fault.
type document struct {
	Data *struct {
		ID            string                     `json:"id"`
		Type          string                     `json:"type"`
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]json.RawMessage `json:"relationships"`
	} `json:"data"`
}

// readBody reads what was sent, once; the request keeps it for its digest.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, mailroom.NewError(http.StatusRequestEntityTooLarge, "")
	}
	if err != nil {
		return nil, badRequest("The body broke off.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// attributes reads a body about letters. id is that of the path, empty for a new
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
		return nil, badRequest("The body is no JSON:API document.")
	}
	switch {
	case d.Data.Type != "letters":
		return nil, conflict("/data/type", "The type must be letters.")
	case d.Data.ID != id:
		return nil, conflict("/data/id", "The id must be that of the address, and none for a new letter.")
	case len(d.Data.Relationships) > 0:
		return nil, &mailroom.APIError{Status: http.StatusUnprocessableEntity, Text: "There is no such preset.", Field: "/data/relationships"}
	}
	return d.Data.Attributes, nil
}

// fields are the attributes of a body.
type fields map[string]json.RawMessage

// only refuses members that Pingen does not know.
func (f fields) only(names string) error {
	for name := range f {
		if !mailroom.OneOf(name, names) {
			// The name was sent; it is not repeated.
			return invalid("", "There is an attribute that letters do not have.")
		}
	}
	return nil
}

func (f fields) given(name string) bool {
	raw, ok := f[name]
	return ok && string(raw) != "null"
}

// text reads a string into into. One that is missing is refused where needed.
func (f fields) text(name string, needed bool, into *string) error {
	if !f.given(name) {
		if needed {
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

// word reads one of some words.
func (f fields) word(name, words string, needed bool, into *string) error {
	if err := f.text(name, needed, into); err != nil || *into == "" {
		return err
	}
	if !mailroom.OneOf(*into, words) {
		return invalid(name, "The attribute must be one of: "+strings.ReplaceAll(words, " ", ", ")+".")
	}
	return nil
}

// The values of Pingen's attributes.
const (
	products  = "fast cheap bulk premium registered"
	modes     = "simplex duplex"
	spectra   = "color grayscale"
	positions = "left right"
)

// productForm is that of a product of one post: dpag_standard.
var productForm = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)

// print reads how the letter is to be printed and sent.
func (f fields) print(l *mailroom.Letter, needed bool) error {
	p := &l.Posted
	var product, mode, spectrum string
	if err := f.text("delivery_product", needed, &product); err != nil {
		return err
	}
	if product != "" && !mailroom.OneOf(product, products) && !productForm.MatchString(product) {
		return invalid("delivery_product", "There is no such product.")
	}
	if err := errors.Join(f.word("print_mode", modes, needed, &mode), f.word("print_spectrum", spectra, needed, &spectrum)); err != nil {
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

// metaData checks the addresses that may go with a letter and gives the country
// of the recipient.
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
				return "", invalid("meta_data/"+name, "There is a member that addresses do not have.")
			}
		}
		if !countryForm.MatchString(*party["country"]) {
			return "", invalid("meta_data/"+name+"/country", "The member must be a code of two letters.")
		}
	}
	if len(parties) > 2 {
		return "", invalid("meta_data", "There is a member that Pingen does not know.")
	}
	return *parties["recipient"]["country"], nil
}

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)
