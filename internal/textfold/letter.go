package textfold

// Letter returns how people write a letter that their keyboard lacks: in the shortest and the longest form in use.
// 'æ' is "a" and "ae". Both are empty for letters whose accent can be removed. r must be in lower case. Three
// functions fold these letters, for different purposes. Name is part of stored keys, so it never changes. It writes
// 'æ' and 'œ' long and 'ø' short; Short makes them equal for the search of banks. The catalogue search (package
// fulltext) keeps a short and a long form of every word, umlauts included, so that Müller, Mueller and Muller match.
// The category rules (pfm/enrich) use only the short form, in which "ae" also becomes "a". They work byte by byte,
// because every transaction of a sync passes through them.
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
