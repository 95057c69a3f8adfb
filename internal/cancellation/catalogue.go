package cancellation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Locale is a language as written in one country: de-DE.
type Locale string

var localePattern = regexp.MustCompile(`^[a-z]{2}-[A-Z]{2}$`)

// ParseLocale accepts <language>-<COUNTRY>, of ISO 639-1 and ISO 3166-1.
func ParseLocale(s string) (Locale, error) {
	if !localePattern.MatchString(s) {
		return "", fmt.Errorf("locale %q: want <language>-<COUNTRY>, such as de-DE", s)
	}
	return Locale(s), nil
}

// Language is the part before the hyphen, in lower case.
func (l Locale) Language() string {
	language, _, _ := strings.Cut(string(l), "-")
	return language
}

// Country is the part after the hyphen, in upper case.
func (l Locale) Country() string {
	_, country, _ := strings.Cut(string(l), "-")
	return country
}

// Category is a kind of organization.
type Category struct {
	ID, Slug string
	// Names are by language; "en" is always among them.
	Names map[string]string
}

// Name is the name in the locale's language, else in English.
func (c Category) Name(l Locale) string {
	if name := c.Names[l.Language()]; name != "" {
		return name
	}
	return c.Names["en"]
}

// Organization is whom a contract is with.
type Organization struct {
	ID, Slug, CategoryID string
	Name                 string
	// ExtraConsent: membership tells of political opinion or belief, so that a
	// cancellation needs the user's extra consent.
	ExtraConsent bool
	// URL may be empty.
	URL     string
	Locales []Locale
	// Inactive organizations are in no list and can't be cancelled with.
	Inactive bool
}

// FormRequirement is what form a cancellation must have to count.
type FormRequirement string

// The forms.
const (
	// FormText: readable and naming its sender; any channel will do.
	FormText FormRequirement = "Text"
	// FormWritten: the contract wants it in writing, taken to mean paper.
	FormWritten FormRequirement = "Written"
	// FormWetInk: the law wants the original of a signature, which nobody can
	// give for the user.
	FormWetInk FormRequirement = "WetInk"
)

// ChannelKind is a way for a letter to an organization.
type ChannelKind string

// The channels.
const (
	ChannelEmail          ChannelKind = "Email"
	ChannelMail           ChannelKind = "Mail"
	ChannelRegisteredMail ChannelKind = "RegisteredMail"
	ChannelFax            ChannelKind = "Fax"
)

// OnPaper tells whether a letter arrives as paper.
func (k ChannelKind) OnPaper() bool { return k == ChannelMail || k == ChannelRegisteredMail }

// Channel is one way to reach an organization, with the address for it.
type Channel struct {
	Kind ChannelKind
	// Email goes with ChannelEmail.
	Email string
	// Fax is a number in E.164 form (+4930123456) and goes with ChannelFax.
	Fax string
	// Address goes with the channels on paper.
	Address PostalAddress
}

// PostalAddress is where a letter on paper goes.
type PostalAddress struct {
	// Recipient is the addressee's name, then a department or the like: one to
	// three lines.
	Recipient        []string
	Street           string // or a PO box; empty where the postal code is enough
	PostalCode, City string
	CountryCode      string
}

// IsZero tells whether there is no address.
func (a PostalAddress) IsZero() bool { return len(a.Recipient) == 0 && a.City == "" }

// Product is something that can be cancelled with an organization.
type Product struct {
	ID, Slug, OrganizationID string
	Name                     string
	// Locales are those in which a letter can be written, the first by default.
	Locales []Locale
	Form    FormRequirement
	// Channels are the allowed ones in order of preference.
	Channels []Channel
	// Fields are the template: all that is needed to cancel.
	Fields   []Field
	Inactive bool
}

// Offers tells whether a letter can be written in l.
func (p Product) Offers(l Locale) bool { return slices.Contains(p.Locales, l) }

// Address is where letters on paper go; zero where none do.
func (p Product) Address() PostalAddress {
	for _, c := range p.Channels {
		if c.Kind.OnPaper() {
			return c.Address
		}
	}
	return PostalAddress{}
}

// Field is one field of a product's template.
type Field struct {
	Key string
	// Labels are by locale, one for each of the product's locales.
	Labels map[Locale]string
	// Format is a regular expression in the syntax that RE2, ECMAScript and
	// Python share, or empty for any text.
	Format string
}

// The field keys that mean something to the letter. Any other is a reference:
// it is printed with its label and value.
const (
	FieldName        = "NAME"
	FieldAddress     = "ADDRESS"
	FieldZIP         = "ZIP"
	FieldCity        = "CITY"
	FieldEmail       = "EMAIL"
	FieldPhoneNumber = "PHONE_NUMBER"
	FieldDeleteData  = "DATA_DELETE_REQUEST"
	// The usual references.
	FieldCustomerNumber = "CUSTOMER_NUMBER"
	FieldContractNumber = "CONTRACT_NUMBER"
)

// organizationAddress is the text from which an organization's id is made.
func organizationAddress(slug string) string { return "https://aviso.example/organizations/" + slug }

// CategoryID is the id of the category of that slug.
func CategoryID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/cancellation-categories/"+slug)).String()
}

// OrganizationID is the id of the organization of that slug.
func OrganizationID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(organizationAddress(slug))).String()
}

// ProductID is the id of a product of the organization of that slug.
func ProductID(organizationSlug, slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(organizationAddress(organizationSlug)+"/products/"+slug)).String()
}
