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
	// words and stems are the names in heads and prefixes. The first row that needs them sorts them.
	words, stems func() []string
	merchants    []merchant
	keywords     []keyword
	codes        map[string][]codeRule // by scheme and code
	mccs         map[int]int           // subcategories
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

// add adds a phrase, unless it has no words. A cue of several words ("apple pay") is a phrase so that its words are not
// mistaken for a merchant.
func (r *rules) add(written string, words []string, k kind, id uint32) {
	if len(words) == 0 {
		return
	}
	joined := strings.Join(words, "")
	p := phrase{rest: words[1:], kind: k, letters: uint8(min(len(joined), 255)), id: id}
	r.entry(written, words).put(p)
	if len(words) > 1 && len(joined) >= joinLength {
		p.rest = nil
		at(r.heads, joined).put(p)
	}
}

func (h *entry) put(p phrase) {
	for _, other := range h.phrases {
		if other.kind == p.kind && other.id == p.id && slices.Equal(other.rest, p.rest) {
			return
		}
	}
	h.phrases = append(h.phrases, p)
}

// at returns the entry of a word, and adds it if necessary.
func at(entries map[string]*entry, word string) *entry {
	e := entries[word]
	if e == nil {
		e = &entry{}
		entries[word] = e
	}
	return e
}

// minStem is the length of the shortest stem.
const minStem = 4

// entry returns the entry of a phrase: of its first word, or of a stem. "apothek*" begins a word, "*bakkerij" ends one.
// A stem has only plain letters.
func (r *rules) entry(written string, words []string) *entry {
	isStem := len(words) == 1 && len(words[0]) >= minStem && strings.Trim(words[0], "abcdefghijklmnopqrstuvwxyz") == ""
	switch {
	case isStem && strings.HasSuffix(written, "*"):
		extend(r.prefixReach, words[0][:minStem], len(words[0]))
		return at(r.prefixes, words[0])
	case isStem && strings.HasPrefix(written, "*"):
		extend(r.suffixReach, words[0][len(words[0])-minStem:], len(words[0]))
		return at(r.suffixes, words[0])
	default:
		return at(r.heads, words[0])
	}
}

// extend sets the length of the longest word with a beginning or end. So longer ones need not be looked up.
func extend(reach map[string]int, letters string, length int) {
	reach[letters] = max(reach[letters], length)
}
