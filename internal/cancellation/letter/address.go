package letter

import (
	"fmt"
	"regexp"
	"strings"
)

// recipient returns the lines of the recipient's address and how many of them, at the
// start, are names.
func (c *composer) recipient() (lines []string, names int, err error) {
	a := c.letter.Address
	if a.IsZero() {
		by := nonEmpty(valueIn(c.words.ByEmail, c.letter.Email), valueIn(c.words.ByFax, c.letter.Fax))
		return append([]string{c.letter.Organization}, by...), 1, nil
	}
	lines = nonEmpty(a.Recipient...)
	names = len(lines)
	lines = append(lines, nonEmpty(bindNumbers(a.Street))...)
	lines = append(lines, cityLines(a.CountryCode, a.PostalCode, a.City)...)
	// A letter that leaves the country names the destination in the last line, in
	// capitals and in the language of the country of posting (UPU).
	if a.CountryCode != c.letter.Locale.Country() {
		country, err := c.words.country(a.CountryCode)
		if err != nil {
			return nil, 0, err
		}
		lines = append(lines, strings.ToUpper(country))
	}
	return lines, names, nil
}

// country returns a country's name, or ErrCountry if there is none.
func (w *wording) country(code string) (string, error) {
	name := w.Countries[code]
	if name == "" {
		return "", fmt.Errorf("%w: %s", ErrCountry, code)
	}
	return name, nil
}

// bindNumbers keeps house numbers with the words before them.
func bindNumbers(street string) string {
	return regexp.MustCompile(` (\d)`).ReplaceAllString(street, nbsp+"$1")
}

// cityLines returns the postal code and city as is customary in the country.
func cityLines(country, postalCode, city string) []string {
	postalCode = strings.ReplaceAll(postcode(country, postalCode), " ", nbsp)
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

// senderAddress returns the lines of the sender's postal address without the name.
func (c *composer) senderAddress() []string {
	s := c.letter.Sender
	return append(nonEmpty(bindNumbers(s.Street)), cityLines(c.letter.Locale.Country(), s.PostalCode, s.City)...)
}

// senderContact returns the sender's phone number and e-mail address, one per line.
func (c *composer) senderContact() []string {
	s := c.letter.Sender
	return nonEmpty(valueIn(c.words.Phone, s.PhoneNumber), valueIn(c.words.Email, s.Email))
}

// valueIn returns a text with its {value}. Without a value there is none.
func valueIn(text, value string) string {
	if value == "" {
		return ""
	}
	return fill(text, "value", value)
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

// postcode writes a postcode as its country does. The format of the field lets no hyphen
// in, and users leave the space out. Any other text stays as it is.
func postcode(country, sent string) string {
	// The two parts of a country's postcodes, and what it writes between them: a hyphen or a space,
	// as the Universal Postal Union's addressing sheets show them.
	form, known := map[string][2]string{
		"CZ": {`(\d{3})(\d{2})`, " "}, "GR": {`(\d{3})(\d{2})`, " "},
		"SE": {`(\d{3})(\d{2})`, " "}, "SK": {`(\d{3})(\d{2})`, " "},
		"GB": {`([A-Z]{1,2}\d[\dA-Z]?)(\d[A-Z]{2})`, " "}, "IE": {`([A-Z][\dA-Z]{2})([\dA-Z]{4})`, " "},
		"LT": {`([A-Z]{2})(\d{5})`, "-"}, "LV": {`([A-Z]{2})(\d{4})`, "-"}, "MT": {`([A-Z]{3})(\d{4})`, " "},
		"NL": {`(\d{4})([A-Z]{2})`, " "}, "PL": {`(\d{2})(\d{3})`, "-"}, "PT": {`(\d{4})(\d{3})`, "-"},
	}[country]
	compact := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(sent))
	m := regexp.MustCompile("^" + form[0] + "$").FindStringSubmatch(compact)
	if !known || m == nil {
		return sent
	}
	return m[1] + form[1] + m[2]
}
