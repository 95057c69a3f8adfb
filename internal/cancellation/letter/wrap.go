package letter

import "strings"

// nbsp marks where a line must not break. It is printed as a space.
const nbsp = "\u00A0"

// wrap breaks the text into lines no wider than width, between words or inside a word
// that is too long for one line.
func wrap(text string, width float64, measure func(string) float64) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && measure(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = word
		for measure(line) > width {
			head := fitting(line, width, measure)
			if head == len(line) {
				break // a single character that is too wide
			}
			lines = append(lines, line[:head])
			line = line[head:]
		}
	}
	return append(lines, line)
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
