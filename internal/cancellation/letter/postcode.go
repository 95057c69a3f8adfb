package letter

import "strings"

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
