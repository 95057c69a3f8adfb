package enrich

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"index/suffixarray"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// Compile compiles the rules in data/*.csv into the format that the engine reads.
// The same files always give the same result. data/rules.bin is the latest one.
func Compile(from fs.FS) ([]byte, error) {
	l, err := load(from)
	if err != nil {
		return nil, err
	}
	c := compiler{loader: l}
	c.pool = newPool(l.texts())
	c.words()
	c.stems(sectionPrefixes, &l.book.prefixes)
	c.stems(sectionSuffixes, &l.book.suffixes)
	// The end of the last head's phrases.
	c.u32(sectionHeads, 0, 0, uint32(len(c.out[sectionPhrases])/phraseSize))
	c.tables()
	c.out[sectionPool] = c.pool.text
	return c.join()
}

type compiler struct {
	*loader
	pool *pool
	out  [sections][]byte
	// heads is the number of heads so far.
	heads int
	// err says that something is too large for its field.
	err error
}

// join returns the lengths of the sections, followed by the sections.
func (c *compiler) join() ([]byte, error) {
	if c.heads >= slotCount || len(c.pool.text) >= 1<<24 || c.pool.long != "" {
		c.err = fmt.Errorf("rules do not fit into the tables: %d heads, %d bytes of text, oversized text %q",
			c.heads, len(c.pool.text), c.pool.long)
	}
	var out []byte
	for _, section := range c.out {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(section)))
	}
	return append(out, bytes.Join(c.out[:], nil)...), c.err
}

func (c *compiler) u32(section int, values ...uint32) {
	for _, v := range values {
		c.out[section] = binary.LittleEndian.AppendUint32(c.out[section], v)
	}
}

func (c *compiler) u16(section int, values ...int) {
	for _, v := range values {
		if v < 0 || v >= 1<<16 {
			c.err = fmt.Errorf("%d does not fit into 16 bits", v)
		}
		c.out[section] = binary.LittleEndian.AppendUint16(c.out[section], uint16(v))
	}
}

// words writes the heads of words and the hash slots that lead to them.
func (c *compiler) words() {
	slots := make([]byte, slotCount*slotSize)
	for _, word := range slices.Sorted(maps.Keys(c.book.heads)) {
		slot := hash([]byte(word)) % slotCount
		for binary.LittleEndian.Uint16(slots[slot*slotSize:]) != 0 {
			slot = (slot + 1) % slotCount
		}
		binary.LittleEndian.PutUint16(slots[slot*slotSize:], uint16(c.heads+1))
		c.head(word, c.book.heads[word])
	}
	c.out[sectionSlots] = slots
}

func (c *compiler) head(word string, h *entry) {
	c.u32(sectionHeads, c.pool.ref(word), uint32(h.flags), uint32(len(c.out[sectionPhrases])/phraseSize))
	c.heads++
	for _, p := range h.phrases {
		packed := uint32(p.letters)<<packedLetters | uint32(p.kind)<<packedKind
		if p.kind == kindMerchant && p.id&weakAlias != 0 {
			packed |= packedWeak
			p.id &^= weakAlias
		}
		if p.id > packedID {
			c.err = fmt.Errorf("a phrase of %q has too large an ID, %d", word, p.id)
		}
		c.u32(sectionPhrases, c.pool.ref(strings.Join(p.rest, " ")), packed|p.id)
	}
}

// stems writes a tree level by level, so that the children of a node are adjacent.
func (c *compiler) stems(section int, s *stems) {
	type place struct {
		node   int32
		letter byte
	}
	queue := []place{{}}
	for i := 0; i < len(queue) && len(s.nodes) > 0; i++ {
		first := len(queue)
		for letter, child := range s.nodes[queue[i].node].next {
			if child != 0 {
				queue = append(queue, place{int32(child), 'a' + byte(letter)})
			}
		}
		number := 0
		if h := s.heads[queue[i].node]; h != nil {
			c.head("", h)
			number = c.heads
		}
		c.out[section] = append(c.out[section], queue[i].letter, byte(len(queue)-first))
		c.u16(section, first, number)
	}
	if len(queue) == 1 {
		c.out[section] = make([]byte, nodeSize)
	}
}

// tables writes the tables of what phrases and codes mean.
func (c *compiler) tables() {
	for _, m := range c.merchants {
		c.u32(sectionMerchants, c.pool.ref("merchant:"+m.slug), c.pool.ref(pfm.MerchantID(m.slug)),
			c.pool.ref(m.name), c.pool.ref(m.organization))
		c.u16(sectionMerchants, m.category, 0)
		c.u32(sectionMerchants, uint32(m.countries), uint32(m.countries>>32))
	}
	for _, k := range c.keywords {
		c.u32(sectionKeywords, c.pool.ref(k.rule))
		c.u16(sectionKeywords, k.category, int(uint8(k.sign))|boolInt(k.trade)<<8)
		c.u32(sectionKeywords, uint32(k.languages))
	}
	for _, m := range c.mccs {
		c.u32(sectionMCCs, c.pool.ref(m.rule))
		c.u16(sectionMCCs, m.category, m.code)
	}
	for _, r := range c.codes {
		c.u32(sectionCodes, c.pool.ref(r.scheme), c.pool.ref(r.code), c.pool.ref(r.rule))
		c.u16(sectionCodes, r.category, int(uint8(r.sign)))
	}
	c.out[sectionCountries] = c.countries.list()
	c.out[sectionLanguages] = c.languages.list()
}

// list returns the codes in the order of their bits, separated by spaces.
func (s codeSet) list() []byte {
	codes := slices.SortedFunc(maps.Keys(s), func(a, b string) int { return cmp.Compare(s[a], s[b]) })
	return []byte(strings.Join(codes, " "))
}

// texts returns the texts that results contain.
func (l *loader) texts() []string {
	var out []string
	for _, m := range l.merchants {
		out = append(out, "merchant:"+m.slug, pfm.MerchantID(m.slug), m.name)
	}
	for _, k := range l.keywords {
		out = append(out, k.rule)
	}
	return out
}

// pool is one text that contains many. A text that is part of the initial ones is
// not stored again, since most words are part of a rule's ID.
type pool struct {
	text    []byte
	initial *suffixarray.Index
	at      map[string]int
	// long is a text that is too long for a reference.
	long string
}

func newPool(texts []string) *pool {
	p := &pool{text: []byte(strings.Join(texts, "\n")), at: map[string]int{}}
	p.initial = suffixarray.New(slices.Clone(p.text))
	return p
}

// ref returns a reference to a text, which it adds to the pool if necessary.
func (p *pool) ref(text string) uint32 {
	if len(text) > 0xff {
		p.long = text
	}
	at, ok := p.at[text]
	if !ok && text != "" {
		if found := p.initial.Lookup([]byte(text), -1); len(found) > 0 {
			at = slices.Min(found)
		} else {
			at = len(p.text)
			p.text = append(p.text, text...)
		}
		p.at[text] = at
	}
	return uint32(at)<<8 | uint32(len(text))
}
