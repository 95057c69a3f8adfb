package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// An encoded index is searched where it lies: to open it, nothing is decoded or built.
// Numbers have four bytes, the lowest first. These are its parts, in their order:
//
//	magic       a text
//	format      a number
//	lengths     the length of each of the following sections
//
//	texts       what hits show: of each text its length as a varint, and the text
//	documents   docFields numbers for each document (record.go)
//
//	words       where each word of names begins in letters, and where the last ends
//	letters     the words of names, sorted
//	starts      where the postings of each word begin, then those of each category, and
//	            where the last end
//	postings    a number for each, see posting
//
// The same four sections follow for the words of categories' names. Their postings are
// categories, as indexes in starts above.
//
// The store knows whether the bytes are those that were written. Others may make the search
// find nonsense, but whatever reads them checks its bounds and does not panic.
const (
	magic = "aviso search index"
	// format changes with the layout, and with the words that Tokenizer makes of names. Then
	// cancellation.snapshotLayout changes, too.
	format = 1

	numberSize = 4
)

// The sections, in their order.
const (
	sectionTexts = iota
	sectionDocuments
	sectionWords
	sectionCategoryWords = sectionWords + sectionsOfWords
	sections             = sectionCategoryWords + sectionsOfWords
	sectionsOfWords      = 4
)

const headerSize = len(magic) + numberSize + sections*numberSize

var errDamaged = errors.New("the search index is damaged: its parts do not add up")

// encode joins the sections.
func encode(all [sections][]byte) []byte {
	lengths := make([]uint32, sections)
	size := headerSize
	for i, s := range all {
		lengths[i], size = uint32(len(s)), size+len(s)
	}
	data := append(make([]byte, 0, size), magic...)
	data = appendNumbers(appendNumbers(data, format), lengths...)
	for _, s := range all {
		data = append(data, s...)
	}
	return data
}

// split returns the sections of an encoded index.
func split(data string) (all [sections]string, err error) {
	header, found := strings.CutPrefix(data, magic)
	switch {
	case !found:
		return all, errors.New("this is not a search index")
	case len(data) < headerSize:
		return all, errDamaged
	case numbers(header).at(0) != format:
		return all, fmt.Errorf("the search index has format %d; this program reads format %d", numbers(header).at(0), format)
	}
	rest := data[headerSize:]
	for i := range all {
		length := int(numbers(header).at(1 + i))
		if length > len(rest) {
			return all, errDamaged
		}
		all[i], rest = rest[:length], rest[length:]
	}
	if rest != "" {
		return all, errDamaged
	}
	return all, nil
}

// numbers is an encoded list of numbers.
type numbers string

func (n numbers) len() int { return len(n) / numberSize }

// at returns a number. The compiler makes the four bytes one load.
func (n numbers) at(i int) uint32 {
	if i < 0 || i >= n.len() {
		return 0
	}
	b := n[numberSize*i:][:numberSize]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func appendNumbers(data []byte, list ...uint32) []byte {
	for _, n := range list {
		data = binary.LittleEndian.AppendUint32(data, n)
	}
	return data
}

// part returns text[from:to], or nothing if it has no such part.
func part[T ~string](text T, from, to int) T {
	if from < 0 || from > to || to > len(text) {
		return ""
	}
	return text[from:to]
}

// wordList is a vocabulary with the postings of each word.
type wordList struct {
	Vocabulary
	starts, postings numbers
}

func openWords(all []string) wordList {
	return wordList{Vocabulary{numbers(all[0]), all[1]}, numbers(all[2]), numbers(all[3])}
}

// postingsOf returns the postings of the words from one index up to, but not including,
// another.
func (l wordList) postingsOf(from, to int) numbers {
	return part(l.postings, numberSize*int(l.starts.at(from)), numberSize*int(l.starts.at(to)))
}

// encodeWords returns the sections of a wordList. There may be more lists of postings than
// words.
func encodeWords(words []string, lists [][]uint32) (all [sectionsOfWords][]byte) {
	for _, w := range words {
		all[0] = appendNumbers(all[0], uint32(len(all[1])))
		all[1] = append(all[1], w...)
	}
	all[0] = appendNumbers(all[0], uint32(len(all[1])))
	for _, list := range lists {
		all[2] = appendNumbers(all[2], uint32(len(all[3])/numberSize))
		all[3] = appendNumbers(all[3], list...)
	}
	all[2] = appendNumbers(all[2], uint32(len(all[3])/numberSize))
	return all
}
