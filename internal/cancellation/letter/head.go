package letter

import (
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
	// The text begins two lines of 12 points below the field.
	textTop = fieldBottom + 8.46

	upperFold, hole, lowerFold = 105.0, 148.5, 210.0
)

// head returns the rows at fixed positions on the first page, and the y at which the
// body may begin.
func (c *composer) head(s *sheet) (rows []placed, y float64, err error) {
	recipient, err := c.recipientRows(s)
	if err != nil {
		return nil, 0, err
	}
	sender := c.senderRows(s)
	rows = slices.Concat(recipient, c.returnRows(s), sender)

	last := sender[len(sender)-1]
	f, pitch := face{regular, 10}, 5.0
	date := c.words.formatPlaceAndDate(c.letter.Sender.City, c.letter.Date)
	if len(s.lines(date, columnWidth, f)) > 1 {
		date = c.words.formatPlaceAndDate("", c.letter.Date) // the address has the place too
	}
	y = max(fieldBottom-pitch, last.y+last.row.height+pitch)
	rows = append(rows, placed{y: y, row: row{height: pitch, runs: []run{{columnLeft, date, f}}}})
	return rows, max(textTop, y+2*pitch), nil
}

// recipientRows returns the rows of the address window. Long lines wrap. If the rows are
// then too high, or a word is too long for a line, the font gets smaller, and finally the
// names share lines. Only a word that is too long in any size is broken.
func (c *composer) recipientRows(s *sheet) ([]placed, error) {
	lines, names, err := c.recipient()
	if err != nil {
		return nil, err
	}
	merged := append([]string{strings.Join(lines[:names], ", ")}, lines[names:]...)
	var broken []placed
	for _, try := range []struct {
		lines []string
		size  float64
	}{{lines, 10}, {lines, 9}, {lines, 8}, {merged, 8}, {merged, 7}, {merged, 6}, {merged, 5.5}} {
		f := face{regular, try.size}
		rows := stack(s, try.lines, f, leftMargin, fieldTextWidth, recipientTop)
		if last := rows[len(rows)-1]; last.y+last.row.height > fieldBottom {
			continue
		}
		if s.whole(try.lines, fieldTextWidth, f) {
			return rows, nil
		}
		if broken == nil {
			broken = rows
		}
	}
	if broken == nil {
		return nil, ErrAddressTooLong
	}
	return broken, nil
}

// returnRows returns the sender's address in small type above the recipient. It repeats
// the sender's block, so it is left out if it does not fit or there is no address.
func (c *composer) returnRows(s *sheet) []placed {
	address := c.senderAddress()
	if len(address) == 0 {
		return nil
	}
	f := face{regular, 7}
	text := strings.Join(append([]string{c.letter.Sender.Name}, address...), " · ")
	rows := stack(s, []string{text}, f, leftMargin, fieldTextWidth, 0)
	high := rows[len(rows)-1].y + rows[0].row.height
	if top := recipientTop - 1 - high; top >= fieldTop {
		for i := range rows {
			rows[i].y += top
		}
		return rows
	}
	return nil
}

// senderRows returns the sender's block at the upper right, in a smaller font if it
// would otherwise reach the date or break a word.
func (c *composer) senderRows(s *sheet) []placed {
	var rows []placed
	texts := slices.Concat(c.senderAddress(), c.senderContact())
	for _, size := range []float64{9.5, 8.5, 7.5, 7, 6, 5} {
		rows = stack(s, []string{c.letter.Sender.Name}, face{bold, size + 0.5}, columnLeft, columnWidth, columnTop)
		for _, lines := range [][]string{c.senderAddress(), c.senderContact()} {
			last := rows[len(rows)-1]
			y := last.y + last.row.height + 0.6
			rows = append(rows, stack(s, lines, face{regular, size}, columnLeft, columnWidth, y)...)
		}
		whole := s.whole([]string{c.letter.Sender.Name}, columnWidth, face{bold, size + 0.5}) &&
			s.whole(texts, columnWidth, face{regular, size})
		if last := rows[len(rows)-1]; whole && last.y+last.row.height <= fieldBottom-10 {
			break
		}
	}
	return rows
}

// stack places lines below each other from y on and wraps the ones that are too long.
func stack(s *sheet, lines []string, f face, x, width, y float64) []placed {
	pitch := mm(f.size) * 1.22
	var rows []placed
	for _, line := range lines {
		for _, part := range s.lines(line, width, f) {
			rows = append(rows, placed{y: y, row: row{height: pitch, runs: []run{{x, part, f}}}})
			y += pitch
		}
	}
	return rows
}
