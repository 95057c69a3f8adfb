package fulltext

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// connectors are what people write for "&" within a name.
const connectors = " und u and n et e y och og ja i en plus "

func isConnector(word string) bool { return strings.Contains(connectors, " "+word+" ") }

// readings returns how the words of a query can be read: as they were typed, some in one word, some
// in several, or both. People write "fit x", "cleverfit", "bahncard25" and "1und1".
func (x *Index) readings(query string) [][]string {
	typed := words(query)
	split := x.split(typed)
	all := [][]string{typed}
	for _, r := range [][]string{x.glue(typed), split, x.glue(split)} {
		if !slices.ContainsFunc(all, func(former []string) bool { return slices.Equal(former, r) }) {
			all = append(all, r)
		}
	}
	return all
}

func (x *Index) knows(word string) bool { _, known := x.numbers[word]; return known }

// glue joins neighbouring words that are one word in a name. Connectors between them are left out: the
// word of "1&1" is "11".
func (x *Index) glue(typed []string) (glued []string) {
	for i := 0; i < len(typed); {
		word, taken := x.joined(typed[i:])
		glued, i = append(glued, word), i+taken
	}
	return glued
}

// joined returns the longest word of a name that the first words make up, or the first word.
func (x *Index) joined(typed []string) (word string, taken int) {
	const most = 4
	all, bare := typed[0], typed[0] // with and without connectors
	word, taken = typed[0], 1
	for i, next := range typed[1:min(most, len(typed))] {
		all += next
		if isConnector(next) {
			continue
		}
		bare += next
		for _, w := range [...]string{all, bare} {
			if x.knows(w) {
				word, taken = w, i+2
			}
		}
	}
	return word, taken
}

// longestSplit is the length in bytes of the longest word that is split.
const longestSplit = 40

// numbersAndLetters are the parts of a word such as "bahncard25".
var numbersAndLetters = regexp.MustCompile(`\pN+|[^\pN]+`)

// split divides words that no name has into words that names have.
func (x *Index) split(typed []string) (split []string) {
	for _, word := range typed {
		switch {
		case x.knows(word), len(word) > longestSplit:
			split = append(split, word)
		case x.withoutConnector(word) != "":
			split = append(split, x.withoutConnector(word))
		default:
			parts := numbersAndLetters.FindAllString(word, -1)
			if len(parts) == 1 {
				parts = x.parts(word)
			}
			split = append(split, parts...)
		}
	}
	return split
}

// withoutConnector returns the word of "1&1" for "1und1", and "" if there is none.
func (x *Index) withoutConnector(word string) string {
	for connector := range strings.FieldsSeq(connectors) {
		for from := 1; ; {
			at := strings.Index(word[min(from, len(word)):], connector)
			if at < 0 {
				break
			}
			at += from
			if end := at + len(connector); end < len(word) && x.knows(word[:at]+word[end:]) {
				return word[:at] + word[end:]
			}
			from = at + 1
		}
	}
	return ""
}

// parts returns the fewest words of names that make up a word. They have three letters on average,
// because nearly every word can be made of shorter ones. Without such words, it returns the word.
func (x *Index) parts(word string) []string {
	const average = 3
	fewest := make([][]string, len(word)+1) // by where they end
	fewest[0] = []string{}
	for end := 1; end <= len(word); end++ {
		for start := range end {
			part := word[start:end]
			if fewest[start] == nil || !x.knows(part) && !isConnector(part) ||
				fewest[end] != nil && len(fewest[end]) <= len(fewest[start])+1 {
				continue
			}
			fewest[end] = append(slices.Clone(fewest[start]), part)
		}
	}
	if found := fewest[len(word)]; found != nil && utf8.RuneCountInString(word) >= average*len(found) {
		return found
	}
	return []string{word}
}
