package cancellation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
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

// inOneLine returns the address that the channel leads to.
func (c Channel) inOneLine() string {
	a := c.Address
	if a == nil {
		return c.Email + c.Fax
	}
	lines := slices.Concat(a.Recipient, []string{a.Street, strings.TrimSpace(a.PostalCode + " " + a.City), a.CountryCode})
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), ", ")
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
