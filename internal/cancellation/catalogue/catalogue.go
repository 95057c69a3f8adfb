// Package catalogue has the organizations and products that can be cancelled: their import, search
// and deadlines.
package catalogue

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

// Category is a kind of organization.
type Category struct {
	ID   string `dynamodbav:"id"`
	Slug string `dynamodbav:"slug"`
	// Names maps languages to names. It always contains "en".
	Names map[string]string `dynamodbav:"names"`
}

// Name returns the name in the locale's language, or else in English.
func (c Category) Name(l cancellation.Locale) string {
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
	URL     string                `dynamodbav:"url,omitempty"`
	Locales []cancellation.Locale `dynamodbav:"locales"`
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

// Product is something that can be cancelled with an organization.
type Product struct {
	ID             string `dynamodbav:"id"`
	Slug           string `dynamodbav:"slug"`
	OrganizationID string `dynamodbav:"organizationId"`
	Name           string `dynamodbav:"name"`
	// Locales are the locales in which a letter can be written. The first is the
	// default.
	Locales []cancellation.Locale `dynamodbav:"locales"`
	Form    FormRequirement       `dynamodbav:"form"`
	// Channels are the allowed channels in order of preference.
	Channels []cancellation.Channel `dynamodbav:"channels"`
	// Fields are the template: the data needed to cancel.
	Fields []Field `dynamodbav:"fields"`
	// Terms are what its contracts say about their end, now and in former years. It is
	// empty if that is not known.
	Terms    []deadline.Terms `json:",omitempty" dynamodbav:"terms,omitempty"`
	Inactive bool             `dynamodbav:"inactive,omitempty"`
}

// Offers reports whether a letter can be written in l.
func (p Product) Offers(l cancellation.Locale) bool { return slices.Contains(p.Locales, l) }

// Address returns the address for letters on paper. It is zero if no channel uses
// paper.
func (p Product) Address() cancellation.PostalAddress {
	for _, c := range p.Channels {
		if c.Kind.OnPaper() && c.Address != nil {
			return *c.Address
		}
	}
	return cancellation.PostalAddress{}
}

// Counting returns the product's channels by which a letter counts. If the law lets none of
// them count, it is registered mail to the product's postal address.
func (p Product) Counting(form deadline.Form) []cancellation.Channel {
	channels := slices.DeleteFunc(slices.Clone(p.Channels), func(c cancellation.Channel) bool {
		return p.Form == FormWetInk || p.Form == FormWritten && !c.Kind.OnPaper() || !form.Allows(deadline.Channel(c.Kind))
	})
	if a := p.Address(); len(channels) == 0 && p.Form != FormWetInk && !a.IsZero() {
		return []cancellation.Channel{{Kind: cancellation.ChannelRegisteredMail, Address: &a}}
	}
	return channels
}

// Allowed returns the channels by which a letter counts and that have a carrier.
func (p Product) Allowed(form deadline.Form, enabled []cancellation.ChannelKind) []cancellation.Channel {
	return slices.DeleteFunc(p.Counting(form),
		func(c cancellation.Channel) bool { return !slices.Contains(enabled, c.Kind) })
}

// Field is one field of a product's template.
type Field struct {
	Key string `dynamodbav:"key"`
	// Labels has one label for each of the product's locales.
	Labels map[cancellation.Locale]string `dynamodbav:"labels"`
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
	// FieldDateSuffix ends the keys of dates (ISO 8601).
	FieldDateSuffix = "_DATE"
	FieldBirthDate  = "BIRTH_DATE"
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
