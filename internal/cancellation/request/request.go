package request

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
)

// Request is a partner's request to cancel a contract. Its digest is stored, so
// renaming a field makes repeated requests look different.
type Request struct {
	ExternalID                string
	OrganizationID, ProductID string
	Locale                    cancellation.Locale
	Parameters                []Parameter
	Signature                 cancellation.Signature
	ExtraConsent              bool
	// EndDate is the last day that the user wants. If it is empty, the contract ends as
	// early as possible.
	EndDate deadline.Date `json:",omitempty"`
	// Reason is why the contract shall end before its term. It is zero for an ordinary
	// cancellation.
	Reason deadline.Reason `json:",omitzero"`
	// Repeat is set if the user wants another cancellation of the contract. The digest does
	// not have it, because it changes nothing about the cancellation.
	Repeat bool `json:"-"`
	// SubscriptionID is the recurring contract in the user's account. It is optional.
	SubscriptionID string `json:",omitempty"`
	// ReplyTo is where the organization's answer goes if the template has no e-mail address. It
	// is optional.
	ReplyTo string `json:",omitempty"`
}

// Parameter is the value of one field of the template.
type Parameter struct{ Key, Value string }

// Cleaned returns the request with its values as they are meant. Pasted text has other spaces and hyphens, and
// characters without a width. Line breaks and marks of direction stay, and are refused: they can hide something.
func (r Request) Cleaned() Request {
	r.Parameters = slices.Clone(r.Parameters)
	for i, p := range r.Parameters {
		r.Parameters[i].Value = clean(p.Key, p.Value)
	}
	r.Signature.Text, r.ReplyTo = clean(catalogue.FieldName, r.Signature.Text), clean(catalogue.FieldEmail, r.ReplyTo)
	r.Reason.Text = clean(catalogue.FieldAddress, strings.Join(strings.Fields(r.Reason.Text), " ")) // it may have lines
	return r
}

func clean(key, value string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		switch {
		case unicode.Is(unicode.Zs, c):
			return ' '
		case strings.ContainsRune("\u00ad\u200b\u200c\u200d\u2060\ufeff", c):
			return -1
		case c == '\u2010', c == '\u2011', c == '\u2013' && key != catalogue.FieldAddress: // "5–7" is right there
			return '-'
		}
		return c
	}, value), " ")
}

// has reports whether a field was sent.
func (r Request) has(key string) bool {
	return slices.ContainsFunc(r.Parameters, func(p Parameter) bool { return p.Key == key })
}

// content returns a digest of the request, regardless of the order of parameters.
func (r Request) content() (string, error) {
	parameters := slices.Clone(r.Parameters)
	slices.SortFunc(parameters, func(a, b Parameter) int { return strings.Compare(a.Key, b.Key) })
	r.Parameters = parameters
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("marshal request: %w", err)
	}
	return digest(text), nil
}

// personal are the fields that say who the user is, or what the letter asks for. All others
// identify the contract.
var personal = []string{ //nolint:gochecknoglobals // constant
	catalogue.FieldName, catalogue.FieldAddress, catalogue.FieldZIP, catalogue.FieldCity, catalogue.FieldEmail,
	catalogue.FieldDeleteData,
}

// contract returns a digest of the parameters that identify the contract, empty if there are
// none: two SIM cards are two contracts about one product. Only letters and digits count,
// because people write numbers in many ways.
func (r Request) contract() string {
	var all []string
	for _, p := range r.Parameters {
		value := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return unicode.ToUpper(c)
			}
			return -1
		}, p.Value)
		if value != "" && !slices.Contains(personal, p.Key) {
			all = append(all, p.Key+"="+value)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return digest([]byte(strings.Join(all, "\n")))
}

// check validates locale and consent.
func (r Request) check(o catalogue.Organization, p catalogue.Product) error {
	if !p.Offers(r.Locale) {
		return apierror.WithFields(apierror.LocaleNotSupported, "The product does not offer this locale.",
			apierror.Field{Pointer: "/locale", Code: "unsupported", Detail: "Must be one of the product's locales."})
	}
	if o.ExtraConsent && !r.ExtraConsent {
		return apierror.WithFields(
			apierror.ExtraConsentRequired,
			"Cancelling with this organization reveals an opinion or belief of the user, so it needs extra consent.",
			apierror.Field{
				Pointer: "/extraConsent", Code: "required", Detail: "Ask the user for consent, then send true.",
			},
		)
	}
	return nil
}

// match validates the parameters against the template, then the rest of what the letter says. It
// returns the values by field key. A template mismatch lists every invalid field.
func (r Request) match(
	fields []catalogue.Field, printable func(string) error, today deadline.Date,
) (map[string]string, error) {
	var faults []apierror.Field
	known := map[string]catalogue.Field{}
	for _, f := range fields {
		known[f.Key] = f
	}
	values := map[string]string{}
	for i, p := range r.Parameters {
		at := func(member, code, detail string) {
			pointer := "/parameters/" + strconv.Itoa(i) + "/" + member
			faults = append(faults, apierror.Field{Pointer: pointer, Code: code, Detail: detail, FieldKey: known[p.Key].Key})
		}
		field, ok := known[p.Key]
		_, duplicate := values[p.Key]
		switch {
		case !ok:
			at("fieldKey", "unknown", "The template has no field with this key.")
			continue
		case duplicate:
			at("fieldKey", "doubled", "The field "+p.Key+" was sent more than once.")
			continue
		}
		values[p.Key] = p.Value
		if field.Accepts(p.Value) && printable(p.Value) == nil {
			if code, detail := dateFault(p, today); code != "" {
				at("fieldValue", code, detail)
			}
			continue
		}
		if code, detail := valueFault(p.Value, printable); code != "" {
			at("fieldValue", code, detail)
		} else {
			at("fieldValue", "format", "The value does not match the field's format.")
		}
	}
	for _, f := range fields {
		if _, ok := values[f.Key]; !ok && !f.Accepts("") {
			faults = append(faults, apierror.Field{
				Pointer: "/parameters", Code: "missing", Detail: "The field " + f.Key + " is missing.", FieldKey: f.Key,
			})
		}
	}
	if len(faults) > 0 {
		return nil, apierror.WithFields(
			apierror.TemplateMismatch, "The parameters do not match the product's template.", faults...)
	}
	if _, err := cancellation.ParseEmail(r.ReplyTo); r.ReplyTo != "" && (err != nil || printable(r.ReplyTo) != nil) {
		return nil, apierror.Invalid(apierror.Field{
			Pointer: "/replyTo", Code: "format", Detail: "Must be one e-mail address, such as anna.sommer@example.org.",
		})
	}
	return values, checkSignature(r.Signature, printable)
}

var dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// dateFault returns what is wrong with a value that has the form of a date. The code is empty if nothing is.
func dateFault(p Parameter, today deadline.Date) (code, detail string) {
	if !strings.HasSuffix(p.Key, catalogue.FieldDateSuffix) || !dateForm.MatchString(p.Value) {
		return "", ""
	}
	if _, err := time.Parse(time.DateOnly, p.Value); err != nil {
		return "format", "There is no such day."
	}
	if p.Key == catalogue.FieldBirthDate && (p.Value < "1900-01-01" || p.Value > string(today)) {
		return "out_of_range", "Must be a day from 1900-01-01 to today."
	}
	return "", ""
}

// valueFault returns what is wrong with a value. The code is empty if nothing is.
func valueFault(value string, printable func(string) error) (code, detail string) {
	var unprintable *cancellation.UnprintableError
	problem := printable(value)
	switch {
	case strings.TrimSpace(value) == "":
		return "empty", "The value is empty."
	case utf8.RuneCountInString(value) > cancellation.MaxValue || errors.Is(problem, cancellation.ErrTooLong):
		return "too_long", "Must have at most " + strconv.Itoa(cancellation.MaxValue) + " characters."
	case errors.As(problem, &unprintable):
		return "unprintable", fmt.Sprintf("The character %s at position %d cannot be printed in a letter.",
			unprintable.Name, unprintable.Position)
	}
	return "", ""
}

// checkSignature validates a typed signature. An image is validated when the letter is
// written.
func checkSignature(s cancellation.Signature, printable func(string) error) error {
	if len(s.Image) > 0 {
		return nil
	}
	if code, detail := valueFault(s.Text, printable); code != "" {
		return badSignature(code, detail)
	}
	return nil
}

func badSignature(code, detail string) error {
	return apierror.Invalid(apierror.Field{Pointer: "/signature/data", Code: code, Detail: detail})
}

// letter returns the contents of the letter. mailbox is the operator's.
func (r Request) letter(
	o catalogue.Organization, p catalogue.Product, values map[string]string, mailbox string,
) cancellation.Letter {
	l := cancellation.Letter{
		Locale: r.Locale,
		Sender: cancellation.Sender{
			Name: values[catalogue.FieldName], Street: values[catalogue.FieldAddress],
			PostalCode: values[catalogue.FieldZIP], City: values[catalogue.FieldCity],
			Email:       cmp.Or(strings.TrimSpace(values[catalogue.FieldEmail]), r.ReplyTo),
			PhoneNumber: values[catalogue.FieldPhoneNumber],
		},
		Mailbox:      mailbox,
		Organization: o.Name, Address: p.Address(), Product: p.Name,
		DeleteData: values[catalogue.FieldDeleteData] == "true", Signature: r.Signature,
		Sector: p.Sector(),
	}
	for _, c := range p.Channels {
		l.Email, l.Fax = cmp.Or(l.Email, c.Email), cmp.Or(l.Fax, c.Fax)
	}
	for _, f := range p.Fields {
		value := strings.TrimSpace(values[f.Key])
		if value != "" && f.Key != catalogue.FieldPhoneNumber && !slices.Contains(personal, f.Key) {
			l.References = append(l.References, reference(f, r.Locale, value))
		}
	}
	return l
}

// reference returns a field as the letter shows it.
func reference(f catalogue.Field, l cancellation.Locale, value string) cancellation.Reference {
	r := cancellation.Reference{Label: f.Labels[l], Value: value}
	switch f.Key {
	case catalogue.FieldContractNumber, catalogue.FieldCustomerNumber, catalogue.FieldMembershipNumber,
		catalogue.FieldPolicyNumber, catalogue.FieldSubscriptionNumber:
		r.IsNumber = true
	}
	if strings.HasSuffix(f.Key, catalogue.FieldDateSuffix) {
		r.Date, _ = time.Parse(time.DateOnly, value) // any other text is shown as it is
	}
	return r
}

const (
	reasonPointer = "/reason/"
	// maxFacts is the maximum number of characters of a reason's text.
	maxFacts = 500
)

// cause returns the request's reason with the article that the law of the locale's country knows it by, for contracts
// of the product's sector.
func (r Request) cause(
	p catalogue.Product, printable func(string) error, facts deadline.Facts,
) (deadline.Reason, error) {
	if r.Reason.Kind == "" {
		return deadline.Reason{}, nil
	}
	known := deadline.Grounds(r.Locale.Country(), p.Sector())
	i := slices.IndexFunc(known, func(g deadline.Ground) bool { return g.Kind == r.Reason.Kind })
	if i < 0 {
		kinds := []string{"Ordinary"}
		for _, g := range known {
			kinds = append(kinds, string(g.Kind))
		}
		return deadline.Reason{}, unavailable("kind", "unknown_to_law",
			"We know no such right in the country of the locale for this kind of contract. Known: "+
				strings.Join(kinds, ", ")+".")
	}
	if known[i].NeedsDate && r.Reason.Date == "" {
		return deadline.Reason{}, badReason("date", "required", "The letter needs the day of the event.")
	}
	if err := checkFacts(r.Reason.Text, known[i].NeedsText, printable); err != nil {
		return deadline.Reason{}, err
	}
	r.Reason.Article, r.Reason.Immediate = known[i].Cite(r.Locale.Language()), known[i].Immediate
	if r.Reason.Kind == deadline.ReasonWithdrawal {
		return r.withdrawal(p, facts)
	}
	return r.Reason, nil
}

// withdrawal returns the reason of a withdrawal if its period is not over. Its date is the day of the signature. We do
// not know where the contract was concluded, so the longest period counts.
func (r Request) withdrawal(p catalogue.Product, facts deadline.Facts) (deadline.Reason, error) {
	if r.Reason.Date > facts.CancelledOn {
		return deadline.Reason{}, badReason("date", "future", "Must be the day on which the contract was concluded.")
	}
	facts.ConcludedOn = r.Reason.Date
	right := deadline.LongestWithdrawal(p.Query(r.Locale, p.Channels, facts))
	if right.Until < facts.CancelledOn {
		return deadline.Reason{}, unavailable("date", "over", "The right to withdraw ended on "+string(right.Until)+".")
	}
	return r.Reason, nil
}

// form returns the form of the letter. What an ordinary cancellation requires does not bind a withdrawal.
func (r Request) form(p catalogue.Product, facts deadline.Facts) deadline.Form {
	q := p.Query(r.Locale, p.Channels, facts)
	if r.Reason.Kind == deadline.ReasonWithdrawal {
		q.ConcludedOn = r.Reason.Date
		return deadline.LongestWithdrawal(q).Form
	}
	return deadline.FormOf(q)
}

// fastest puts channels first that leave at once.
func fastest(a, b cancellation.Channel) int {
	paper := func(c cancellation.Channel) int {
		if c.Kind == cancellation.ChannelEmail || c.Kind == cancellation.ChannelFax {
			return 0
		}
		return 1
	}
	return paper(a) - paper(b)
}

// checkFacts validates what happened.
func checkFacts(text string, needed bool, printable func(string) error) error {
	var unprintable *cancellation.UnprintableError
	switch {
	case text == "" && needed:
		return badReason("text", "required", "The letter needs what happened, and when.")
	case utf8.RuneCountInString(text) > maxFacts:
		return badReason("text", "too_long", "Must have at most "+strconv.Itoa(maxFacts)+" characters.")
	case errors.As(printable(text), &unprintable):
		return badReason("text", "unprintable", fmt.Sprintf("The character %s at position %d cannot be printed in a letter.",
			unprintable.Name, unprintable.Position))
	}
	return nil
}

func badReason(member, code, detail string) error {
	return apierror.Invalid(apierror.Field{Pointer: reasonPointer + member, Code: code, Detail: detail})
}

func unavailable(member, code, detail string) error {
	return apierror.WithFields(apierror.ReasonNotAvailable, detail,
		apierror.Field{Pointer: reasonPointer + member, Code: code, Detail: detail})
}
