package letter

import (
	"strings"
	"unicode"
)

// nbsp marks where a line must not break. It is printed as a space.
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
