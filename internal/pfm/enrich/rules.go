package enrich

import (
	_ "embed"
	"errors"
	"strings"

	"aviso/internal/pfm"
)

// compiled is the result of Compile for the files in data. It is only read when a
// row needs it, so startup costs next to nothing.
//
//go:embed data/rules.bin
var compiled string

// The sections of the compiled rules. Each is a table of records of one size, or
// text. The lengths of all sections come first.
const (
	// sectionPool is the text to which all others refer.
	sectionPool = iota
	sectionSlots
	sectionHeads
	sectionPhrases
	sectionPrefixes
	sectionSuffixes
	sectionMerchants
	sectionKeywords
	sectionMCCs
	sectionCodes
	// sectionCountries and sectionLanguages are codes in the order of their bits,
	// separated by spaces.
	sectionCountries
	sectionLanguages
	sections
)

// The sizes of the records. All numbers are little-endian.
const (
	// A slot is the number of a head plus one, or 0 if it is free.
	slotSize = 2
	// A head is a word, its flags and the number of its first phrase. Its phrases end
	// where those of the next head begin.
	headSize = 12
	// A phrase is the words after its first one, and a packed number.
	phraseSize = 8
	// A node is its letter, the number of its children, the index of the first child,
	// and the number of its head plus one.
	nodeSize = 6
	// A merchant is its rule ID, its ID, its name, its organization, its category and
	// its countries.
	merchantSize = 28
	// A keyword is its rule ID, its category, its sign and its languages.
	keywordSize = 12
	// A merchant category code is its rule ID, its category and its number.
	mccSize = 8
	// A code is its scheme, its text, its rule ID, its category and its sign.
	codeSize = 16
)

// slotCount is the size of the hash table of words, three times the number of words.
const slotCount = 1 << 16

// The parts of a phrase's packed number: the number of its letters, whether it is a
// weak alias, its kind, and its ID.
const (
	packedLetters = 24
	packedWeak    = 1 << 23
	packedKind    = 21
	packedID      = 1<<packedKind - 1
)

var errCorrupt = errors.New("compiled rules are corrupt")

// rules are the compiled rules, by section.
type rules [sections]string

func readRules(from string) (rules, error) {
	var out rules
	if len(from) < 4*sections {
		return out, errCorrupt
	}
	at := uint64(4 * sections)
	for i := range out {
		end := at + uint64(u32(from, 4*i))
		if end > uint64(len(from)) {
			return out, errCorrupt
		}
		out[i] = from[at:end]
		at = end
	}
	if at != uint64(len(from)) || len(out[sectionSlots]) != slotCount*slotSize {
		return out, errCorrupt
	}
	return out, nil
}

func u16(s string, at int) uint16 { return uint16(s[at]) | uint16(s[at+1])<<8 }

func u32(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// text returns the text to which the reference at this position points. The lowest
// byte of a reference is the length of the text, the rest is its start in the pool.
func (r *rules) text(section, at int) string {
	ref := u32(r[section], at)
	begin := ref >> 8
	return r[sectionPool][begin : begin+ref&0xff]
}

// head is the range of phrases [from, to) that begin with one word.
type head struct {
	flags    wordFlags
	from, to int
}

// headAt returns the head with this number.
func (r *rules) headAt(n int) head {
	at := n * headSize
	return head{
		flags: wordFlags(u32(r[sectionHeads], at+4)),
		from:  int(u32(r[sectionHeads], at+8)),
		to:    int(u32(r[sectionHeads], at+headSize+8)),
	}
}

// head returns the head of a word.
func (r *rules) head(word []byte) (head, bool) {
	for slot := hash(word); ; slot++ {
		n := int(u16(r[sectionSlots], int(slot%slotCount)*slotSize))
		if n == 0 {
			return head{}, false
		}
		if r.text(sectionHeads, (n-1)*headSize) == string(word) {
			return r.headAt(n - 1), true
		}
	}
}

// hash returns the FNV-1a hash, folded so that its upper bits affect the slot too.
func hash(word []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range word {
		h = (h ^ uint32(b)) * 16777619
	}
	return h ^ h>>16
}

// phrase is a known phrase. rest is the words after its first one, separated by
// spaces.
type phrase struct {
	rest    string
	kind    kind
	letters uint8
	// id is the ID of the merchant or the keyword, or the flags of a cue.
	id uint32
}

func (r *rules) phrase(n int) phrase {
	packed := u32(r[sectionPhrases], n*phraseSize+4)
	p := phrase{
		rest: r.text(sectionPhrases, n*phraseSize), letters: uint8(packed >> packedLetters),
		kind: kind(packed >> packedKind & 3), id: packed & packedID,
	}
	if packed&packedWeak != 0 {
		p.id |= weakAlias
	}
	return p
}

// child returns the child of a node with this letter, or 0 if there is none.
func (r *rules) child(section, node int, letter byte) int {
	nodes := r[section]
	first := int(u16(nodes, node*nodeSize+2))
	for child := first; child < first+int(nodes[node*nodeSize+1]); child++ {
		if nodes[child*nodeSize] == letter {
			return child
		}
	}
	return 0
}

// stem returns the head of the stem that ends at a node.
func (r *rules) stem(section, node int) (head, bool) {
	n := int(u16(r[section], node*nodeSize+4))
	if n == 0 {
		return head{}, false
	}
	return r.headAt(n - 1), true
}

// merchant returns the merchant with this ID.
func (e *Engine) merchant(id uint32) merchant {
	at := int(id) * merchantSize
	m := merchant{
		category:  e.category(sectionMerchants, at+16),
		countries: uint64(u32(e.rules[sectionMerchants], at+20)) | uint64(u32(e.rules[sectionMerchants], at+24))<<32,
		at:        at,
	}
	m.scheme = m.category.SubcategoryID == pfm.TransferPerson
	m.everywhere = m.countries&e.everywhere != 0
	return m
}

// merchantResult returns the result for a payment to a merchant.
func (e *Engine) merchantResult(m *merchant) Result {
	return Result{
		Category: m.category, Source: pfm.SourceMerchant, RuleID: e.rules.text(sectionMerchants, m.at),
		Merchant: pfm.Merchant{
			ID: e.rules.text(sectionMerchants, m.at+4), Name: e.rules.text(sectionMerchants, m.at+8),
		},
		Organization: e.rules.text(sectionMerchants, m.at+12), Confidence: m.confidence,
	}
}

// keyword returns the keyword with this ID.
func (e *Engine) keyword(id uint32) keyword {
	at := int(id) * keywordSize
	k := keyword{
		category: e.category(sectionKeywords, at+4), sign: int(int8(e.rules[sectionKeywords][at+6])),
		trade: e.rules[sectionKeywords][at+7] != 0, languages: uint64(u32(e.rules[sectionKeywords], at+8)), at: at,
	}
	k.judge()
	return k
}

// keywordResult returns the result for a keyword.
func (e *Engine) keywordResult(k *keyword) Result {
	return Result{
		Category: k.category, Source: pfm.SourceKeyword, RuleID: e.rules.text(sectionKeywords, k.at),
		Confidence: k.confidence,
	}
}

func (e *Engine) category(section, at int) pfm.Category {
	return e.categories[int(u16(e.rules[section], at))]
}

// readCodes reads the rules of banks' codes.
func (e *Engine) readCodes() {
	records := e.rules[sectionCodes]
	e.codes = make(codeTable, len(records)/codeSize)
	for at := 0; at < len(records); at += codeSize {
		key := codeKey{e.rules.text(sectionCodes, at), e.rules.text(sectionCodes, at+4)}
		e.codes[key] = append(e.codes[key], codeRule{
			Result{
				Category: e.category(sectionCodes, at+12), Source: pfm.SourceBankCode,
				RuleID: e.rules.text(sectionCodes, at+8), Confidence: sureOfCode,
			},
			int(int8(records[at+14])),
		})
	}
}

// readSet reads a set of codes, which are in the order of their bits.
func (r *rules) readSet(section int) codeSet {
	out := codeSet{}
	for code := range strings.FieldsSeq(r[section]) {
		out.add(code)
	}
	return out
}
