package enrich

import (
	"slices"
	"strings"
)

// rules are the rules of data/*.csv, with all known phrases by their first word.
type rules struct {
	heads map[string]*entry
	// prefixes holds stems like "apothek*", suffixes stems like "*bakkerij".
	prefixes, suffixes map[string]*entry
	// prefixReach and suffixReach are the lengths of the longest stems by their first or last letters.
	prefixReach, suffixReach map[string]int
	// words are the keys of heads, and stems those of prefixes, both sorted.
	words, stems []string
	merchants    []merchant
	keywords     []keyword
	codes        map[string][]codeRule // by scheme and code
	mccs         map[int]mccRule
	// spoken holds the languages of each country, separated by semicolons, and written the country of a word.
	spoken, written map[string]string
}

// kind is the kind of a phrase.
type kind uint8

const (
	kindMerchant kind = iota
	kindKeyword
	kindCue
	// kindBrand is a name in brandFile.
	kindBrand
)

// entry has all phrases that begin with one word.
type entry struct {
	flags   wordFlags
	phrases []phrase
}

// phrase is a known phrase. rest are the words after its first one.
type phrase struct {
	rest    []string
	kind    kind
	letters uint8
	// id is the ID of the merchant or the keyword, or the flags of a cue.
	id uint32
}

// joinLength is the minimum number of letters of a phrase that is also recognised as one word ("mediamarkt" for
// "media markt").
const joinLength = 6

func (r *rules) add(words []string, k kind, id uint32) {
	if len(words) == 0 {
		return
	}
	joined := strings.Join(words, "")
	p := phrase{rest: words[1:], kind: k, letters: uint8(min(len(joined), 255)), id: id}
	r.put(words[0], p)
	if len(words) > 1 && len(joined) >= joinLength {
		p.rest = nil
		r.put(joined, p)
	}
}

func (r *rules) put(first string, p phrase) {
	h := at(r.heads, first)
	for _, other := range h.phrases {
		if other.kind == p.kind && other.id == p.id && slices.Equal(other.rest, p.rest) {
			return
		}
	}
	h.phrases = append(h.phrases, p)
}

// at returns the entry of a word, and adds it if necessary.
func at(entries map[string]*entry, word string) *entry {
	if entries[word] == nil {
		entries[word] = &entry{}
	}
	return entries[word]
}

// mark marks a word. A cue of several words ("apple pay") becomes a phrase, so that its words are not mistaken for a
// merchant.
func (r *rules) mark(words []string, f wordFlags) {
	if len(words) == 1 {
		at(r.heads, words[0]).flags |= f
		return
	}
	r.add(words, kindCue, uint32(f))
}

// minStem is the length of the shortest stem.
const minStem = 4

// stem returns the entry of a stem: "apothek*" begins a word, "*bakkerij" ends one. It returns nil if the phrase is
// not a stem, is too short, or has other characters than plain letters.
func (r *rules) stem(written string, words []string) *entry {
	switch {
	case len(words) != 1 || len(words[0]) < minStem || strings.Trim(words[0], "abcdefghijklmnopqrstuvwxyz") != "":
		return nil
	case strings.HasSuffix(written, "*"):
		extend(r.prefixReach, words[0][:minStem], len(words[0]))
		return at(r.prefixes, words[0])
	case strings.HasPrefix(written, "*"):
		extend(r.suffixReach, words[0][len(words[0])-minStem:], len(words[0]))
		return at(r.suffixes, words[0])
	default:
		return nil
	}
}

// extend sets the length of the longest word with a beginning or end. So longer ones need not be looked up.
func extend(reach map[string]int, letters string, length int) {
	reach[letters] = max(reach[letters], length)
}
