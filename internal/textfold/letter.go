package textfold

// Letter returns how people without a letter on their keyboard write it, if it has no
// accent to remove: in the fewest and in the most letters in use. 'æ' is "a" and "ae".
// Both are empty for every other letter. r must be in lower case.
//
// Three functions fold these letters, for different purposes. Name is part of stored
// keys, so it never changes; it writes 'æ' and 'œ' long and 'ø' short, which Short makes
// equal for the search of banks. The search
// (package fulltext) keeps a short and a long form of every word, umlauts included, so
// that Müller, Mueller and Muller match. The category rules (pfm/enrich) use only the
// short form and work byte by byte, because every transaction of a sync passes through
// them; there, "ae" becomes "a" too.
func Letter(r rune) (short, long string) {
	switch r {
	case 'æ':
		return "a", "ae"
	case 'œ', 'ø':
		return "o", "oe"
	case 'ß':
		return "ss", "ss"
	case 'ł':
		return "l", "l"
	case 'đ', 'ð':
		return "d", "d"
	case 'þ':
		return "th", "th"
	case 'ı':
		return "i", "i"
	case 'ς':
		return "σ", "σ"
	default:
		return "", ""
	}
}
