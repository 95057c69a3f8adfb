package cancellation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aviso/internal/apierror"
)

// MaxValue is how many characters a parameter, or a typed signature, may have.
const MaxValue = 300

// Request is what a partner asks for.
type Request struct {
	ExternalID                string
	OrganizationID, ProductID string
	Locale                    Locale
	Parameters                []Parameter
	Signature                 Signature
	ExtraConsent              bool
}

// Parameter is the value of one field of the template.
type Parameter struct{ Key, Value string }

// content is a digest of what is asked for, the order of parameters aside.
func (r Request) content() (string, error) {
	parameters := slices.Clone(r.Parameters)
	slices.SortFunc(parameters, func(a, b Parameter) int { return strings.Compare(a.Key, b.Key) })
	r.Parameters = parameters
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("marshal request: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// check holds the request against the product: language, consent, template. It
// gives the values by field key. Every refusal names all that is wrong.
func (r Request) check(o Organization, p Product, printable func(string) error) (map[string]string, error) {
	if !p.Offers(r.Locale) {
		return nil, apierror.WithFields(apierror.LocaleNotSupported, "The product is not offered in this locale.",
			apierror.Field{Pointer: "/locale", Code: "unsupported", Detail: "One of the product's locales."})
	}
	if o.ExtraConsent && !r.ExtraConsent {
		return nil, apierror.WithFields(apierror.ExtraConsentRequired, "Cancelling with this organization tells of the user's opinion or belief, so it needs an extra consent.",
			apierror.Field{Pointer: "/extraConsent", Code: "required", Detail: "Ask the user, then send true."})
	}
	return r.match(p.Fields, printable)
}

// match holds the parameters against the template.
func (r Request) match(fields []Field, printable func(string) error) (map[string]string, error) {
	var faults []apierror.Field
	known := map[string]Field{}
	for _, f := range fields {
		known[f.Key] = f
	}
	values := map[string]string{}
	for i, p := range r.Parameters {
		at := func(member, code, detail string) {
			faults = append(faults, apierror.Field{Pointer: "/parameters/" + strconv.Itoa(i) + "/" + member, Code: code, Detail: detail})
		}
		field, ok := known[p.Key]
		_, doubled := values[p.Key]
		switch {
		case !ok:
			at("fieldKey", "unknown", "The template has no such field.")
			continue
		case doubled:
			at("fieldKey", "doubled", "The field "+p.Key+" was sent before.")
			continue
		}
		values[p.Key] = p.Value
		if code, detail := valueFault(p.Value, field.Format, printable); code != "" {
			at("fieldValue", code, detail)
		}
	}
	for _, f := range fields {
		if _, ok := values[f.Key]; !ok {
			faults = append(faults, apierror.Field{Pointer: "/parameters", Code: "missing", Detail: "The field " + f.Key + " is missing."})
		}
	}
	if len(faults) > 0 {
		return nil, apierror.WithFields(apierror.TemplateMismatch, "The parameters do not match the product's template.", faults...)
	}
	return values, nil
}

// valueFault says what is wrong with a value; an empty code when nothing is.
func valueFault(value, format string, printable func(string) error) (code, detail string) {
	var unprintable *UnprintableError
	problem := printable(value)
	switch {
	case strings.TrimSpace(value) == "":
		return "empty", "The value is empty."
	case utf8.RuneCountInString(value) > MaxValue || errors.Is(problem, ErrTooLong):
		return "too_long", "At most " + strconv.Itoa(MaxValue) + " characters."
	case errors.As(problem, &unprintable):
		return "unprintable", "The character " + unprintable.Name + " cannot be printed in a letter."
	case format != "" && !matches(format, value):
		return "format", "The value does not match the field's format."
	}
	return "", ""
}

// check looks at a typed signature; an image is looked at when it is placed.
func (s Signature) check(printable func(string) error) error {
	if len(s.Image) > 0 {
		return nil
	}
	if code, detail := valueFault(s.Text, "", printable); code != "" {
		return badSignature(code, detail)
	}
	return nil
}

func badSignature(code, detail string) error {
	return apierror.Invalid(apierror.Field{Pointer: "/signature/data", Code: code, Detail: detail})
}

// matches tells whether the whole value matches. A format that does not compile
// got past the importer and lets nothing through.
func matches(format, value string) bool {
	re, err := regexp.Compile(`\A(?:` + format + `)\z`)
	return err == nil && re.MatchString(value)
}

// letter is what the letter says.
func (r Request) letter(o Organization, p Product, values map[string]string) Letter {
	l := Letter{
		Locale: r.Locale,
		Sender: Sender{
			Name: values[FieldName], Street: values[FieldAddress], PostalCode: values[FieldZIP], City: values[FieldCity],
			Email: values[FieldEmail], PhoneNumber: values[FieldPhoneNumber],
		},
		Organization: o.Name, Address: p.Address(), Product: p.Name,
		DeleteData: values[FieldDeleteData] == "true", Signature: r.Signature,
	}
	for _, c := range p.Channels {
		switch c.Kind {
		case ChannelEmail:
			l.Email = c.Email
		case ChannelFax:
			l.Fax = c.Fax
		case ChannelMail, ChannelRegisteredMail: // in Address
		}
	}
	for _, f := range p.Fields {
		switch f.Key {
		case FieldName, FieldAddress, FieldZIP, FieldCity, FieldEmail, FieldPhoneNumber, FieldDeleteData:
		default:
			l.References = append(l.References, Reference{Label: f.Labels[r.Locale], Value: values[f.Key]})
		}
	}
	return l
}
