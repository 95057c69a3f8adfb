package mailroom

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/sandboxdb"
)

// maxPostBody is far larger than any request of the API; files are uploaded separately.
const maxPostBody = 64 << 10

// bodyOf reads the body and puts it back into the request, which has it digested.
func bodyOf(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxPostBody))
	if err != nil {
		return nil, ReadError(err, "", "The body is incomplete.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// readBody reads the attributes in the body of a call. id is the letter in the path, empty for
// a new letter.
func readBody(r *http.Request, id string, into any) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != mediaType {
		return NewError(http.StatusUnsupportedMediaType, "The body must be "+mediaType+".")
	}
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	var d struct {
		Data *struct {
			ID, Type      string
			Attributes    json.RawMessage
			Relationships map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &d); err != nil || d.Data == nil {
		return badRequest("The body is not a JSON:API document.")
	}
	switch {
	case d.Data.Type != "letters":
		return FieldError(http.StatusConflict, "/data/type", "The type must be letters.")
	case d.Data.ID != id:
		return FieldError(http.StatusConflict, "/data/id",
			"The id must match the path, and must be absent for a new letter.")
	case len(d.Data.Relationships) > 0:
		return FieldError(http.StatusUnprocessableEntity, "/data/relationships", "The preset does not exist.")
	}
	decoder := json.NewDecoder(bytes.NewReader(d.Data.Attributes))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(into)
	wrong, known := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case known && wrong.Field == "":
		return badRequest("The attributes are not an object.")
	case known:
		member := strings.TrimPrefix(wrong.Field, "printing.") // embedded
		return invalidLetter(strings.ReplaceAll(member, ".", "/"), "The attribute has the wrong type.")
	case err != nil:
		// The name comes from the request, so it is not repeated.
		return invalidLetter("", "The letter has an unknown attribute.")
	}
	return nil
}

func invalidLetter(attribute, detail string) error {
	return FieldError(http.StatusUnprocessableEntity, "/data/attributes/"+attribute, detail)
}

// attributes are those of a new letter. Missing ones are nil.
type attributes struct {
	FileName        *string `json:"file_original_name"`
	FileURL         *string `json:"file_url"`
	Signature       *string `json:"file_url_signature"`
	AddressPosition *string `json:"address_position"`
	AutoSend        *bool   `json:"auto_send"`
	printing
}

// printing is how to print and send a letter.
type printing struct {
	Product  *string `json:"delivery_product"`
	Mode     *string `json:"print_mode"`
	Spectrum *string `json:"print_spectrum"`
	MetaData *struct {
		Recipient, Sender *party
	} `json:"meta_data"`
}

// party is somebody's address.
type party struct{ Name, Street, Number, POBox, Zip, City, Country string }

// value returns an optional text.
func value(text *string) string { return *cmp.Or(text, new(string)) }

// check returns the first error.
func (a attributes) check() error {
	if a.AutoSend == nil {
		return invalidLetter("auto_send", "The attribute is required and must be a boolean.")
	}
	return errors.Join(
		text("file_original_name", a.FileName, true, 255, nil),
		text("file_url", a.FileURL, true, maxText, nil),
		text("file_url_signature", a.Signature, true, maxText, nil),
		text("address_position", a.AddressPosition, true, maxText, words("left right")),
		a.printing.check(*a.AutoSend),
	)
}

// maxText is the length of the longest text.
const maxText = 2048

// productPattern matches the product of one postal service, such as dpag_standard.
var productPattern = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)

func (p printing) check(required bool) error {
	return errors.Join(
		text("delivery_product", p.Product, required, maxText, func(product string) bool {
			return OneOf(product, "fast cheap bulk premium registered") || productPattern.MatchString(product)
		}),
		text("print_mode", p.Mode, required, maxText, words("simplex duplex")),
		text("print_spectrum", p.Spectrum, required, maxText, words("color grayscale")),
		p.checkParties(),
	)
}

func words(allowed string) func(string) bool {
	return func(word string) bool { return OneOf(word, allowed) }
}

// text checks an attribute. A missing one is an error if it is required.
func text(name string, value *string, required bool, longest int, allowed func(string) bool) error {
	switch {
	case value == nil && required:
		return invalidLetter(name, "The attribute is required.")
	case value == nil:
		return nil
	case *value == "" || utf8.RuneCountInString(*value) > longest:
		return invalidLetter(name, "The attribute is empty or too long.")
	case allowed != nil && !allowed(*value):
		return invalidLetter(name, "The attribute has an unknown value.")
	}
	return nil
}

var countryPattern = regexp.MustCompile(`^[A-Z]{2}$`)

// checkParties checks the addresses of the letter.
func (p printing) checkParties() error {
	if p.MetaData == nil {
		return nil
	}
	parties := []*party{p.MetaData.Recipient, p.MetaData.Sender}
	for i, name := range []string{"meta_data/recipient", "meta_data/sender"} {
		if parties[i] == nil {
			return invalidLetter(name, "The member is required.")
		}
		who := *parties[i]
		required := []string{"name", "zip", "city", "country"}
		for j, member := range []string{who.Name, who.Zip, who.City, who.Country} {
			if member == "" {
				return invalidLetter(name+"/"+required[j], "The member is required.")
			}
		}
		if !countryPattern.MatchString(who.Country) {
			return invalidLetter(name+"/country", "The member must be a two-letter code.")
		}
	}
	return nil
}

// apply notes on the letter how to print and send it.
func (p printing) apply(l *Letter) {
	posted := &l.Posted
	posted.DeliveryProduct, posted.PrintMode, posted.PrintSpectrum = value(p.Product), value(p.Mode), value(p.Spectrum)
	if p.MetaData != nil {
		posted.Country = p.MetaData.Recipient.Country
	}
	l.How = Mail
	if strings.HasSuffix(posted.DeliveryProduct, "registered") {
		l.How = RegisteredMail
	}
}

// change is what a call does to a letter, and its response.
type change struct {
	letter Letter
	// document is the document of a new letter.
	document []byte
	status   int
}

// replayLife is how long an idempotency key is stored.
const replayLife = 24 * time.Hour

// idempotent runs a change only once for each key. It stores the response in the same
// write as the change, so that neither exists without the other.
func (s *PostOffice) idempotent(call func(*http.Request) (change, error)) func(*http.Request) (Reply, error) {
	return func(r *http.Request) (Reply, error) {
		key, request, err := s.key(r)
		if err != nil {
			return Reply{}, err
		}
		if key != "" {
			if a, err := s.replay(r.Context(), key, request); !errors.Is(err, outcome.ErrNotFound) {
				return a, err
			}
		}
		c, err := call(r)
		if err != nil {
			return Reply{}, err
		}
		a := Reply{Status: c.status}
		if c.status != http.StatusAccepted {
			a = s.reply(c.status, c.letter)
		}
		var more []sandboxdb.Record
		if key != "" {
			c.letter.Posted.Answers = append(slices.Clip(c.letter.Posted.Answers), key)
			more = append(more, Answer{ID: key, Request: request, Status: a.Status, Body: a.Body,
				Forget: s.Now().Add(replayLife)})
		}
		if c.document != nil {
			more = append(more,
				Document{LetterID: c.letter.ID, Content: c.document, Forget: c.letter.KeepUntil()})
		}
		err = s.Put(r.Context(), c.letter, more...)
		if errors.Is(err, outcome.ErrChanged) && key != "" {
			// The same request may just have finished.
			if a, replayed := s.replay(r.Context(), key, request); replayed == nil {
				return a, nil
			}
		}
		return a, err
	}
}

// key reads the idempotency key and returns digests of it and of the request.
func (s *PostOffice) key(r *http.Request) (key, request string, err error) {
	sent := r.Header.Get("Idempotency-Key")
	if sent == "" {
		return "", "", nil
	}
	if utf8.RuneCountInString(sent) > 64 {
		return "", "", badRequest("The Idempotency-Key must have 1 to 64 characters.")
	}
	body, err := bodyOf(r)
	return digest(s.credentials.OrganisationID + "\n" + sent),
		digest(r.Method + "\n" + r.URL.Path + "\n" + string(body)), err
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// replay returns the stored response for the key, or ErrNotFound.
func (s *PostOffice) replay(ctx context.Context, key, request string) (Reply, error) {
	was, err := sandboxdb.Get(ctx, s.Store.Store, Answer{ID: key})
	switch {
	case err != nil:
		return Reply{}, err
	case was.Request != request:
		return Reply{}, NewError(http.StatusUnprocessableEntity,
			"The Idempotency-Key was used for a different request.")
	}
	header := map[string]string{"Idempotent-Replayed": "true"}
	if len(was.Body) > 0 {
		header["Content-Type"] = mediaType
	}
	return Reply{Status: was.Status, Header: header, Body: was.Body}, nil
}
