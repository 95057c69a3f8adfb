package enrich

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

// The fields of a row, in the order in which they are read.
const (
	fieldParty = iota
	fieldNote
)

// The limits of a row. The rest of a longer row is ignored. Banks allow 140 characters of remittance text, some of
// them 500.
const maxBytes, maxWords = 768, 96

// word is a folded word: a range of text.buf.
type word struct {
	start, end uint16
	// from and to are its place in the field as written.
	from, to uint16
	field    uint8
	// run numbers the parts of a row.
	part  part
	run   uint8
	flags wordFlags
}

// text is a row split into folded words. The words are in buf without gaps. So two adjacent ones can be looked up as
// one, because banks break lines inside words.
type text struct {
	buf   [maxBytes]byte
	n     int
	words [maxWords]word
	count int
	// restored counts the words with lost letters that were looked up.
	restored int
}

func (t *text) bytes(w word) []byte { return t.buf[w.start:w.end] }

// scan appends the words of s. It drops case, accents and an apostrophe before a final s. Umlauts, "ae", "oe" and
// "ue" become the bare vowel. Every character that is not a letter or a digit separates words. It leaves out numbers
// of three or more digits, references, and text after the tag of a reference (EREF+). With known, which may be nil,
// it restores lost letters.
func scan(t *text, s string, field uint8, known *rules) {
	c := cutter{t: t, field: field, start: t.n, known: known}
	for i := 0; i < len(s); {
		c.at = i
		b := s[i]
		if b >= utf8.RuneSelf || b == lost {
			r, size := decode(s[i:])
			i += size
			if r == lost || r == utf8.RuneError {
				c.lostLetter(s[i:])
			} else {
				c.wide(r)
			}
			continue
		}
		i++
		switch {
		case 'a' <= b && b <= 'z':
			c.letter(b)
		case 'A' <= b && b <= 'Z':
			c.letter(b + 'a' - 'A')
		case '0' <= b && b <= '9':
			c.digit(b)
		case b == '\'' || b == '`':
			c.apostrophe(s[i:])
		case b == '.' && c.isInitial(s[i:]):
			c.joined = true
		default:
			c.end(b)
		}
	}
	c.at = len(s)
	c.end(' ')
}

// isInitial reports whether the word so far and the next letter are initials: "C.P.A.M".
func (c *cutter) isInitial(rest string) bool {
	one := c.digits == 0 && (c.letters == 1 || c.joined)
	return one && rest != "" && isLetter(rest[0]) && rest[0] < utf8.RuneSelf && (len(rest) == 1 || !isLetter(rest[1]))
}

// latinEnd is the end of Latin-1 and Latin Extended-A and -B.
const latinEnd = 0x250

func (c *cutter) wide(r rune) {
	switch {
	case r >= 0x300 && r < 0x370: // combining accents
	case r == '’' || r == '´':
		c.apostrophe("s")
	case !unicode.IsLetter(r):
		c.end(' ')
	default:
		plain := plainLetter(unicode.ToLower(r))
		if r < latinEnd && plain[0] >= utf8.RuneSelf { // such as ŋ, which has no other spelling
			c.end(' ')
			return
		}
		for _, b := range []byte(plain) {
			c.letter(b)
		}
	}
}

// plainLetter removes the accent of a small Latin or Greek letter, and returns any other letter unchanged. The fold
// drops the e of an umlaut like that after a plain vowel, so æ becomes a and œ becomes o.
func plainLetter(r rune) string {
	if short, _ := textfold.Letter(r); short != "" {
		return short
	}
	if r < latinEnd || unicode.Is(unicode.Greek, r) {
		r, _ = utf8.DecodeRuneInString(norm.NFKD.String(string(r)))
	}
	return string(r)
}

// cutter collects the letters and digits of one word.
type cutter struct {
	t       *text
	field   uint8
	start   int
	letters int
	digits  int
	// at is the place in the field, and from that of the word's first letter.
	at, from int
	// joined is set if the word consists of initials.
	joined bool
	// skipping is set after the tag of a reference, up to the next space.
	skipping bool
	// lost is the number of lost letters, which known may restore.
	lost  int
	known *rules
}

func (c *cutter) letter(b byte) {
	// An e after a vowel may spell an umlaut. Words like "que" lose it too, but in rows and rules alike.
	if b == 'e' && c.t.n > c.start {
		switch c.t.buf[c.t.n-1] {
		case 'a', 'o', 'u':
			return
		}
	}
	c.plain(b)
}

func (c *cutter) plain(b byte) { c.put(b, &c.letters) }
func (c *cutter) digit(b byte) { c.put(b, &c.digits) }

func (c *cutter) put(b byte, count *int) {
	if c.t.n < maxBytes {
		if c.t.n == c.start {
			c.from = c.at
		}
		c.t.buf[c.t.n] = b
		c.t.n++
		*count++
	}
}

// apostrophe joins the s of "McDonald's" to its word. Any other apostrophe ends the word.
func (c *cutter) apostrophe(rest string) {
	joined := c.letters > 1 && rest != "" && rest[0]|0x20 == 's' && (len(rest) == 1 || !isLetter(rest[1]))
	if !joined {
		c.end(' ')
	}
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= utf8.RuneSelf }

// end closes the word before the separator.
func (c *cutter) end(separator byte) {
	if c.lost > 0 && !c.restore() {
		c.split()
	} else if c.t.n > c.start {
		c.take(separator)
	}
	c.skipping = c.skipping && separator != ' '
}

// take ends a word of at least one letter.
func (c *cutter) take(separator byte) {
	length := c.t.n - c.start
	keep := !c.skipping
	if separator == '+' && keep && length <= 4 {
		switch string(c.t.buf[c.start:c.t.n]) {
		case "eref", "mref", "kref", "cred", "iban", "bic":
			keep, c.skipping = false, true
		case "svwz", "abwa", "abwe", "debt", "coam", "oamt":
			keep = false
		}
	}
	if keep && c.digits > 0 {
		keep = c.trim()
		if before := c.t.count - 1; !keep && c.letters == 0 && before >= 0 && c.t.words[before].field == c.field {
			c.t.words[before].flags |= wordNumbered
		}
	}
	if keep {
		c.add()
	} else {
		c.t.n = c.start
	}
	c.start, c.letters, c.digits, c.lost, c.joined = c.t.n, 0, 0, 0, false
}

func (c *cutter) add() {
	if c.t.count == maxWords {
		c.t.n = c.start
		return
	}
	c.t.words[c.t.count] = word{
		start: uint16(c.start), end: uint16(c.t.n), field: c.field, from: uint16(c.from), to: uint16(min(c.at, math.MaxUint16)),
	}
	c.t.count++
}

// trim removes the numbers of terminals, cards and days from a word with digits: "tesco2041" becomes "tesco" and "o2"
// stays. It reports whether to keep the word. It drops references, cards, and numbers of three or more
// digits.
func (c *cutter) trim() bool {
	b := c.t.buf[c.start:c.t.n]
	if len(bytes.Trim(b, "x0123456789")) == 0 && (c.letters == 0 || len(b) > 3) { // also a card: "04XX"
		return len(b) < 3
	}
	head := run(b, false)
	switch tail := len(b) - head; {
	case head == c.letters && (head >= 4 && tail >= 2 || head >= 2 && tail >= 4) && tail <= 8:
		c.t.n = c.start + head
		return true
	case c.known != nil && c.known.letters(b) == 0 && head >= 3 && c.digits == 2 && run(b[head:], true) == 2 && tail >= 5:
		c.t.n = c.start + head // a French department and town
		return true
	case head == 0:
		if lead := run(b, true); lead >= 2 && (lead == c.digits && c.letters >= 4 || run(b[lead:], false) == c.letters && c.letters >= 6) {
			copy(b, b[lead:lead+c.letters])
			c.t.n = c.start + c.letters
			return true
		}
	}
	return c.digits < 2 || len(b) < 8 || 3*c.digits < len(b)
}

// run returns the length of the run of digits, or of other characters, at the start of b.
func run(b []byte, digits bool) int {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9') == digits {
		n++
	}
	return n
}

// foldedWords folds a phrase of the data files in the same way as rows.
func foldedWords(phrase string) []string {
	bare := strings.Trim(phrase, "*")
	isPlain := !strings.ContainsFunc(bare, func(c rune) bool { return c != ' ' && (c < 'a' || c > 'z') })
	if isPlain && !strings.Contains(bare, "ae") && !strings.Contains(bare, "oe") && !strings.Contains(bare, "ue") {
		return strings.Fields(bare) // like most phrases, for which a first row waits
	}
	var t text
	scan(&t, phrase, fieldNote, nil)
	out := make([]string, 0, t.count)
	for _, w := range t.words[:t.count] {
		out = append(out, string(t.bytes(w)))
	}
	return out
}
