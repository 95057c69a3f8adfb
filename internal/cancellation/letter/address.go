package letter

import (
	"fmt"
	"strings"
)

// recipient returns the lines of the recipient's address and how many of them, at the
// start, are names.
func (c *composer) recipient() (lines []string, names int, err error) {
	a := c.letter.Address
	if a.IsZero() {
		lines = []string{c.letter.Organization}
		if c.letter.Email != "" {
			lines = append(lines, fill(c.words.ByEmail, "value", c.letter.Email))
		}
		if c.letter.Fax != "" {
			lines = append(lines, fill(c.words.ByFax, "value", c.letter.Fax))
		}
		return lines, 1, nil
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
	var b strings.Builder
	for i, word := range strings.Split(street, " ") {
		switch {
		case i == 0:
		case word[0] >= '0' && word[0] <= '9':
			b.WriteString(nbsp)
		default:
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
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
	var lines []string
	if phone := c.letter.Sender.PhoneNumber; phone != "" {
		lines = append(lines, fill(c.words.Phone, "value", phone))
	}
	if email := c.letter.Sender.Email; email != "" {
		lines = append(lines, fill(c.words.Email, "value", email))
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

// postcodeForms returns how a country writes its postcodes, if it writes them with a hyphen or a
// space, as the Universal Postal Union's addressing sheets show them: 9 is a digit, A a letter
// and X either.
func postcodeForms(country string) []string {
	return map[string][]string{
		"CZ": {"999 99"}, "GR": {"999 99"}, "SE": {"999 99"}, "SK": {"999 99"},
		"GB": {"A9 9AA", "A99 9AA", "A9A 9AA", "AA9 9AA", "AA99 9AA", "AA9A 9AA"},
		"IE": {"AXX XXXX"}, "LT": {"AA-99999"}, "LV": {"AA-9999"}, "MT": {"AAA 9999"},
		"NL": {"9999 AA"}, "PL": {"99-999"}, "PT": {"9999-999"},
	}[country]
}

// postcode writes a postcode as its country does. The format of the field lets no hyphen
// in, and users leave the space out. Any other text stays as it is.
func postcode(country, sent string) string {
	compact := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(sent))
	for _, form := range postcodeForms(country) {
		if written, ok := writeAs(form, compact); ok {
			return written
		}
	}
	return sent
}

// writeAs puts the separators of the form into the text, if the text has the form.
func writeAs(form, text string) (string, bool) {
	var b strings.Builder
	for _, place := range []byte(form) {
		if place == ' ' || place == '-' {
			b.WriteByte(place)
			continue
		}
		if text == "" || !fits(place, text[0]) {
			return "", false
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String(), text == ""
}

func fits(place, c byte) bool {
	digit, letter := c >= '0' && c <= '9', c >= 'A' && c <= 'Z'
	return digit && place != 'A' || letter && place != '9'
}
