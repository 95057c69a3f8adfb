package letter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The page layout of DIN 5008, form B, in mm.
const (
	leftMargin = 25.0
	textWidth  = 210 - leftMargin - 20
	topMargin  = 25.0
	bottom     = 297 - 25.0
	footer     = 297 - 15.0 // upper edge of the page number

	// The address field is 85 by 45 mm, 20 mm from the left and 45 mm from the top.
	// Its text is indented by 5 mm. The upper 17.7 mm are for the return line.
	fieldTop       = 45.0
	recipientTop   = fieldTop + 17.7
	fieldBottom    = fieldTop + 45
	fieldTextWidth = 78.0
	// The column with the sender and the date.
	columnLeft  = 125.0
	columnWidth = 65.0
	columnTop   = 20.0

	// French envelopes have their window on the right (NF Z 11-001). Wherever the sheet slides, the window shows 100 to
	// 190 mm from the left and 55 to 79 mm from the top. Only the longest addresses go below that.
	rightFieldLeft, rightFieldWidth, rightFieldTop, rightFieldBottom = 105.0, 83.0, 55.0, 82.5
	// The text begins two lines of 12 points below the field.
	textTop = fieldBottom + 8.46

	// tiny is the smallest font size of the sender's block and of the line above the recipient.
	tiny = 4.5

	upperFold, hole, lowerFold = 105.0, 148.5, 210.0
)

// head returns the rows at fixed positions on the first page, and the y at which the body may start.
func (c *composer) head(s *sheet) (rows []placed, y float64, err error) {
	recipient, err := c.recipientRows(s)
	if err != nil {
		return nil, 0, err
	}
	sender := c.senderRows(s)
	dateLeft := columnLeft
	if c.onTheRight() {
		dateLeft = rightFieldLeft
		rows = slices.Concat(sender, recipient)
	} else {
		rows = slices.Concat(recipient, c.returnRows(s), sender)
	}

	f, pitch := face{regular, 10}, 5.0
	date := c.words.formatPlaceAndDate(c.letter.Sender.City, c.letter.Date)
	if len(s.lines(date, columnWidth, f)) > 1 {
		date = c.words.formatPlaceAndDate("", c.letter.Date) // the address already has the place
	}
	y = max(fieldBottom-pitch, lowerEdge(sender)+pitch)
	rows = append(rows, placed{y: y, row: row{height: pitch, runs: []run{{dateLeft, date, f, asText}}}})
	return rows, max(textTop, y+2*pitch), nil
}

// onTheRight reports whether the recipient is on the right, and the sender on the left.
func (c *composer) onTheRight() bool { return c.letter.Locale.Country() == "FR" }

// recipientRows returns the rows of the address window. A slightly smaller font is better than wrapped lines. If the
// rows are still too high, the font gets smaller, and finally the names share lines.
func (c *composer) recipientRows(s *sheet) ([]placed, error) {
	lines, names, err := c.recipient()
	if err != nil {
		return nil, err
	}
	left, width, top, bottom := leftMargin, fieldTextWidth, recipientTop, fieldBottom
	if c.onTheRight() {
		left, width, top, bottom = rightFieldLeft, rightFieldWidth, rightFieldTop, rightFieldBottom
	}
	merged := append([]string{strings.Join(lines[:names], ", ")}, lines[names:]...)
	for _, try := range []struct {
		lines []string
		size  float64
		wrap  bool
	}{
		{lines, 10, false}, {lines, 9, false}, {lines, 10, true}, {lines, 9, true}, {lines, 8, true},
		{merged, 8, true}, {merged, 7, true}, {merged, 6, true}, {merged, 5.5, true},
	} {
		rows := stack(s, try.lines, face{regular, try.size}, 5.5, left, width, top)
		if lowerEdge(rows) <= bottom && (try.wrap || len(rows) == len(lines)) {
			return rows, nil
		}
	}
	return nil, ErrAddressTooLong
}

// returnRows returns the sender's address in small type above the recipient, in two lines if possible. It repeats the
// sender's block. So it is left out if it does not fit, or if there is no address.
func (c *composer) returnRows(s *sheet) []placed {
	address := c.senderAddress()
	if len(address) == 0 {
		return nil
	}
	text := strings.Join(append([]string{c.letter.Sender.Name}, address...), nbsp+"· ")
	for _, try := range []struct {
		size  float64
		lines int
	}{{7, 2}, {6, 2}, {6, 3}, {tiny, 4}} {
		rows := stack(s, []string{text}, face{regular, try.size}, tiny, leftMargin, fieldTextWidth, 0)
		if top := recipientTop - 1 - lowerEdge(rows); top >= fieldTop && len(rows) <= try.lines {
			for i := range rows {
				rows[i].y += top
			}
			return rows
		}
	}
	return nil
}

// senderRows returns the sender's block, opposite the recipient. A slightly smaller font is better than a wrapped
// address, and a small font is better than a block that reaches the date.
func (c *composer) senderRows(s *sheet) []placed {
	var rows []placed
	address, contact, left := c.senderAddress(), c.senderContact(), columnLeft
	if c.onTheRight() {
		left = leftMargin
	}
	for _, try := range []struct {
		size float64
		wrap bool
	}{{9.5, false}, {8.5, false}, {9.5, true}, {8.5, true}, {7.5, true}, {7, true}, {6, true}, {5, true}} {
		f := face{regular, try.size}
		rows = stack(s, []string{c.letter.Sender.Name}, face{bold, try.size + 0.5}, tiny, left, columnWidth, columnTop)
		for _, lines := range [][]string{address, contact} {
			rows = append(rows, stack(s, lines, f, tiny, left, columnWidth, lowerEdge(rows)+0.6)...)
		}
		if lowerEdge(rows) <= fieldBottom-10 && (try.wrap || s.single(address, columnWidth, f)) {
			break
		}
	}
	return rows
}

// stack places lines below each other from y on, and wraps lines that are too long. A line with a word that is too
// long gets a smaller font, down to the smallest size.
func stack(s *sheet, lines []string, largest face, smallest, x, width, y float64) []placed {
	var rows []placed
	for _, line := range lines {
		f := s.fitted(line, width, largest, smallest)
		for _, r := range paragraph(s, line, f, x, width, 0, mm(f.size)*1.22) {
			rows = append(rows, placed{y: y, row: r})
			y += r.height
		}
	}
	return rows
}

// lowerEdge returns the lower edge of the last row.
func lowerEdge(rows []placed) float64 {
	last := rows[len(rows)-1]
	return last.y + last.height
}

// recipient returns the lines of the recipient's address, and how many of the first ones are names.
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
	// A letter abroad names the destination in the last line, in capitals and in the language of the country of posting
	// (UPU).
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

// valueIn fills {value} in a text. It returns "" without a value.
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

// postcode formats a postcode as in its country. The field's format allows no hyphen, and users leave out the space.
// Any other text is unchanged.
func postcode(country, sent string) string {
	// The two parts of a country's postcodes, and the hyphen or space between them, as in the Universal Postal Union's
	// addressing sheets.
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
