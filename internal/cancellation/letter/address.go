package letter

import (
	"fmt"
	"strings"
)

// recipient is whom the letter goes to, a line each: the names first, of which
// the count is given, then the way there.
func (c *composer) recipient() (lines []string, names int, err error) {
	a := c.letter.Address
	if a.IsZero() {
		lines = []string{c.letter.Organization}
		if c.letter.Email != "" {
			lines = append(lines, fill(c.words.byEmail, "value", c.letter.Email))
		}
		if c.letter.Fax != "" {
			lines = append(lines, fill(c.words.byFax, "value", c.letter.Fax))
		}
		return lines, 1, nil
	}
	lines = nonEmpty(a.Recipient...)
	names = len(lines)
	lines = append(lines, nonEmpty(a.Street)...)
	lines = append(lines, cityLines(a.CountryCode, a.PostalCode, a.City)...)
	// The last line says the country, in capitals and in the language of where
	// the letter is posted (UPU), when it leaves that country.
	if a.CountryCode != c.letter.Locale.Country() {
		country, err := c.words.country(a.CountryCode)
		if err != nil {
			return nil, 0, err
		}
		lines = append(lines, strings.ToUpper(country))
	}
	return lines, names, nil
}

// country is a country's name.
func (w *wording) country(code string) (string, error) {
	name := w.countries[code]
	if name == "" {
		return "", fmt.Errorf("%w: %s", ErrCountry, code)
	}
	return name, nil
}

// cityLines are postal code and city after the custom of their country.
func cityLines(country, postalCode, city string) []string {
	switch country {
	case "GB": // Royal Mail: post town in capitals, the postcode below
		return nonEmpty(strings.ToUpper(city), postalCode)
	case "IE": // An Post: the Eircode below
		return nonEmpty(city, postalCode)
	case "US":
		return nonEmpty(strings.TrimSpace(city + " " + postalCode))
	default:
		return nonEmpty(strings.TrimSpace(postalCode + " " + city))
	}
}

// sender is the sender's postal address, a line each, without the name.
func (c *composer) senderAddress() []string {
	s := c.letter.Sender
	return append(nonEmpty(s.Street), cityLines(c.letter.Locale.Country(), s.PostalCode, s.City)...)
}

// senderContact is how else to reach the sender, a line each.
func (c *composer) senderContact() []string {
	var lines []string
	if phone := c.letter.Sender.PhoneNumber; phone != "" {
		lines = append(lines, fill(c.words.phone, "value", phone))
	}
	if email := c.letter.Sender.Email; email != "" {
		lines = append(lines, fill(c.words.email, "value", email))
	}
	return lines
}

func nonEmpty(lines ...string) []string {
	var kept []string
	for _, line := range lines {
		if line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
