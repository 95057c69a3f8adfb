package letter

import (
	"strings"
	"unicode"
)

// run is a piece of text in a row.
type run struct {
	x    float64
	text string
	face face
	role string
}

// row is a line of text in the letter's body, a picture, or a line to write on.
type row struct {
	// gap is the space above the row, dropped at the top of a page.
	gap, height float64
	// tied rows stay on the same page as the row before them.
	tied    bool
	runs    []run
	picture *picture
	line    float64 // length in mm
	shade   float64 // of the text
}

// baseline returns the baseline of a row that starts at y.
func (r row) baseline(y float64) float64 { return y + 0.8*r.height }

// placed is a row and the position of its upper edge.
type placed struct {
	row
	y float64
}

// paragraph breaks text into rows with a line height of pitch mm. Neither the first nor
// the last row is alone on a page.
func paragraph(s *sheet, text string, f face, x, width, gap, pitch float64) []row {
	lines := s.lines(text, width, f)
	avoidSingleWord(lines, func(line string) bool { return s.width(line, f) <= width })
	rows := make([]row, len(lines))
	for i, line := range spaced(lines, text) {
		tied := i == 1 || i > 0 && i == len(lines)-1
		rows[i] = row{height: pitch, tied: tied, runs: []run{{x: x, text: line, face: f}}}
	}
	rows[0].gap, rows[0].runs[0].role = gap, asText
	return rows
}

// spaced keeps the space at the end of each broken line, for copying and reading the text aloud.
func spaced(lines []string, text string) []string {
	for i, line := range lines {
		text = strings.TrimPrefix(text, line)
		if strings.HasPrefix(text, " ") {
			lines[i], text = line+" ", text[1:]
		}
	}
	return lines
}

// avoidSingleWord moves a word down to the last line if that line has only one word.
func avoidSingleWord(lines []string, fits func(string) bool) {
	last := len(lines) - 1
	if last < 1 || strings.ContainsAny(lines[last], " "+nbsp) || strings.Count(lines[last-1], " ") < 3 ||
		strings.HasSuffix(lines[last-1], "-") {
		return
	}
	at := strings.LastIndexByte(lines[last-1], ' ')
	if both := lines[last-1][at+1:] + " " + lines[last]; fits(both) {
		lines[last-1], lines[last] = lines[last-1][:at], both
	}
}

// tie keeps the rows on one page with each other and with the row before them.
func tie(rows []row) []row {
	for i := range rows {
		rows[i].tied = true
	}
	return rows
}

// paginate places the rows from y on the first page and from the top on the others. The first page gets no rows if
// nothing fits below y.
func paginate(rows []row, y float64) [][]placed {
	pages := [][]placed{nil}
	top := false // whether the next row is the first on its page
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].tied {
			n++
		}
		if height(rows[:n], true) > bottom-topMargin {
			n = 1 // the tied rows do not fit on any page
		}
		if y+height(rows[:n], top) > bottom && !top {
			pages = append(pages, nil)
			y, top = topMargin, true
		}
		page := &pages[len(pages)-1]
		for _, r := range rows[:n] {
			if !top {
				y += r.gap
			}
			*page = append(*page, placed{y: y, row: r})
			y, top = y+r.height, false
		}
		rows = rows[n:]
	}
	return pages
}

func height(rows []row, top bool) float64 {
	sum := 0.0
	for i, r := range rows {
		if !top || i > 0 {
			sum += r.gap
		}
		sum += r.height
	}
	return sum
}

// nbsp prevents a line break. It is printed as a space.
const nbsp = "\u00A0"

// wrap breaks the text into lines no wider than width: between words, after hyphens, or
// inside a word that is too long for one line.
func wrap(text string, width float64, measure func(string) float64) []string {
	var lines []string
	line, used := "", 0.0
	for word := range strings.SplitSeq(text, " ") {
		space := ""
		if line != "" {
			space = " "
		}
		for _, part := range hyphenated(word) {
			if more := measure(space + part); used+more <= width {
				line, used, space = line+space+part, used+more, ""
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			line, used, space = part, measure(part), ""
			for used > width {
				head := fitting(line, width, measure)
				if head == len(line) {
					break // a single character that is too wide
				}
				lines = append(lines, line[:head])
				line = line[head:]
				used = measure(line)
			}
		}
	}
	return append(lines, line)
}

// hyphenated splits a word after hyphens between letters: Müller-Lüdenscheidt, but not
// 4711-0815.
func hyphenated(word string) []string {
	if !strings.Contains(word, "-") {
		return []string{word}
	}
	var parts []string
	runes := []rune(word)
	start := 0
	for i := 1; i < len(runes)-1; i++ {
		if runes[i] == '-' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) {
			parts = append(parts, string(runes[start:i+1]))
			start = i + 1
		}
	}
	return append(parts, string(runes[start:]))
}

// fitting returns how many bytes of the word fit, at least one character.
func fitting(word string, width float64, measure func(string) float64) int {
	end := 0
	for i, r := range word {
		next := i + len(string(r))
		if end > 0 && measure(word[:next]) > width {
			break
		}
		end = next
	}
	return end
}
