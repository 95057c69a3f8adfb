package letter

import "strings"

// nbsp stands in the package's own words where a line must not break. It is
// printed as a space.
const nbsp = "\u00A0"

// wrap breaks the text into lines no wider than width: between words, or
// within a word that has no room on a line of its own.
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
			lines = append(lines, line[:head])
			line = line[head:]
		}
	}
	return append(lines, line)
}

// fitting is how many bytes of the word fit, one character at the least.
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
