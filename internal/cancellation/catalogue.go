package cancellation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/cancellation/deadline"
)

// Locale is a language as written in one country: de-DE.
type Locale string

var localePattern = regexp.MustCompile(`^[a-z]{2}-[A-Z]{2}$`)

// ParseLocale parses a locale in the form <language>-<COUNTRY> (ISO 639-1 and
// ISO 3166-1).
func ParseLocale(s string) (Locale, error) {
	if !localePattern.MatchString(s) {
		return "", fmt.Errorf("locale %q: want <language>-<COUNTRY>, such as de-DE", s)
	}
	return Locale(s), nil
}

// Language returns the part before the hyphen, in lower case.
func (l Locale) Language() string {
	language, _, _ := strings.Cut(string(l), "-")
	return language
}

// Country returns the part after the hyphen, in upper case.
func (l Locale) Country() string {
	_, country, _ := strings.Cut(string(l), "-")
	return country
}

// Category is a kind of organization.
type Category struct {
	ID   string `dynamodbav:"id"`
	Slug string `dynamodbav:"slug"`
	// Names maps languages to names. It always contains "en".
	Names map[string]string `dynamodbav:"names"`
}

// Name returns the name in the locale's language, or else in English.
func (c Category) Name(l Locale) string {
	return cmp.Or(c.Names[l.Language()], c.Names["en"])
}

// Organization is a party with which users have contracts.
type Organization struct {
	ID         string `dynamodbav:"id"`
	Slug       string `dynamodbav:"slug"`
	CategoryID string `dynamodbav:"categoryId"`
	Name       string `dynamodbav:"name"`
	// ExtraConsent is set if membership reveals a political opinion or belief. A
	// cancellation then needs the user's extra consent.
	ExtraConsent bool `dynamodbav:"extraConsent,omitempty"`
	// URL may be empty.
	URL     string   `dynamodbav:"url,omitempty"`
	Locales []Locale `dynamodbav:"locales"`
	// Inactive organizations are not listed and accept no cancellations.
	Inactive bool `dynamodbav:"inactive,omitempty"`
	// Unconfirmed is set if nobody has asked the organization where cancellations go. Source
	// says where its data comes from, and when.
	Unconfirmed bool   `json:",omitempty" dynamodbav:"unconfirmed,omitempty"`
	Source      string `json:",omitempty" dynamodbav:"source,omitempty"`
}

// FormRequirement is the form that a cancellation needs to be valid.
type FormRequirement string

// The forms.
const (
	// FormText is readable text that names its sender. Any channel will do.
	FormText FormRequirement = "Text"
	// FormWritten means that the contract requires writing. We read that as paper.
	FormWritten FormRequirement = "Written"
	// FormWetInk means that the law requires an original signature, which nobody can
	// give for the user.
	FormWetInk FormRequirement = "WetInk"
)

// ChannelKind is a kind of channel to an organization.
type ChannelKind string

// The channels.
const (
	ChannelEmail          ChannelKind = "Email"
	ChannelMail           ChannelKind = "Mail"
	ChannelRegisteredMail ChannelKind = "RegisteredMail"
	ChannelFax            ChannelKind = "Fax"
)

// OnPaper reports whether the letter arrives on paper.
func (k ChannelKind) OnPaper() bool { return k == ChannelMail || k == ChannelRegisteredMail }

// Channel is one way to reach an organization, with the address for it.
type Channel struct {
	Kind ChannelKind `dynamodbav:"kind"`
	// Email is set for ChannelEmail.
	Email string `dynamodbav:"email,omitempty"`
	// Fax is a number in E.164 form (+4930123456), set for ChannelFax.
	Fax string `dynamodbav:"fax,omitempty"`
	// Address is set for the channels on paper.
	Address *PostalAddress `dynamodbav:"address,omitempty"`
}

// PostalAddress is the address of a letter on paper.
type PostalAddress struct {
	// Recipient is the addressee's name, then for example a department: one to three
	// lines.
	Recipient []string `dynamodbav:"recipient"`
	// Street is one or a PO box. It is empty if the postal code is enough.
	Street      string `dynamodbav:"street,omitempty"`
	PostalCode  string `dynamodbav:"postalCode"`
	City        string `dynamodbav:"city"`
	CountryCode string `dynamodbav:"countryCode"`
}

// IsZero reports whether there is no address.
func (a PostalAddress) IsZero() bool { return len(a.Recipient) == 0 && a.City == "" }

// Product is something that can be cancelled with an organization.
type Product struct {
	ID             string `dynamodbav:"id"`
	Slug           string `dynamodbav:"slug"`
	OrganizationID string `dynamodbav:"organizationId"`
	Name           string `dynamodbav:"name"`
	// Locales are the locales in which a letter can be written. The first is the
	// default.
	Locales []Locale        `dynamodbav:"locales"`
	Form    FormRequirement `dynamodbav:"form"`
	// Channels are the allowed channels in order of preference.
	Channels []Channel `dynamodbav:"channels"`
	// Fields are the template: the data needed to cancel.
	Fields []Field `dynamodbav:"fields"`
	// Terms are what its contracts say about their end, now and in former years. It is
	// empty if that is not known.
	Terms    []deadline.Terms `json:",omitempty" dynamodbav:"terms,omitempty"`
	Inactive bool             `dynamodbav:"inactive,omitempty"`
}

// Offers reports whether a letter can be written in l.
func (p Product) Offers(l Locale) bool { return slices.Contains(p.Locales, l) }

// Address returns the address for letters on paper. It is zero if no channel uses
// paper.
func (p Product) Address() PostalAddress {
	for _, c := range p.Channels {
		if c.Kind.OnPaper() && c.Address != nil {
			return *c.Address
		}
	}
	return PostalAddress{}
}

// Field is one field of a product's template.
type Field struct {
	Key string `dynamodbav:"key"`
	// Labels has one label for each of the product's locales.
	Labels map[Locale]string `dynamodbav:"labels"`
	// Format is a regular expression in the syntax shared by RE2, ECMAScript and
	// Python. If it is empty, any text is valid.
	Format string `dynamodbav:"format,omitempty"`
}

// The field keys with a meaning in the letter. Any other field is a reference: the
// letter shows its label and value.
const (
	FieldName        = "NAME"
	FieldAddress     = "ADDRESS"
	FieldZIP         = "ZIP"
	FieldCity        = "CITY"
	FieldEmail       = "EMAIL"
	FieldPhoneNumber = "PHONE_NUMBER"
	FieldDeleteData  = "DATA_DELETE_REQUEST"
	// The numbers of a contract or customer.
	FieldCustomerNumber     = "CUSTOMER_NUMBER"
	FieldContractNumber     = "CONTRACT_NUMBER"
	FieldMembershipNumber   = "MEMBERSHIP_NUMBER"
	FieldPolicyNumber       = "POLICY_NUMBER"
	FieldSubscriptionNumber = "SUBSCRIPTION_NUMBER"
	// dateSuffix ends the keys of dates (ISO 8601).
	dateSuffix = "_DATE"
)

// CategoryID returns the ID of the category with this slug.
func CategoryID(slug string) string { return idOf("cancellation-categories/" + slug) }

// OrganizationID returns the ID of the organization with this slug.
func OrganizationID(slug string) string { return idOf("organizations/" + slug) }

// ProductID returns the ID of a product of the organization with this slug.
func ProductID(organizationSlug, slug string) string {
	return idOf("organizations/" + organizationSlug + "/products/" + slug)
}

func idOf(path string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/"+path)).String()
}
