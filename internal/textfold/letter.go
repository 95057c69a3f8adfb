package textfold

// Letter returns how a letter is written by those who do not have it, where there
// is no accent to take off: in as few letters as people use, and in as many. 'æ' is
// "a" and "ae". Both are empty for every other letter; r is in lower case.
//
// Three foldings know these letters, and differ in what they are for. Name is the
// form that stored keys have, so it never changes; it writes 'æ' and 'œ' long, and
// 'ø' short. The search (fulltext/vocabulary) has a short and a long form of every
// word, umlauts included, so that Müller, Mueller and Muller meet. The rules of
// categories (pfm/enrich) have the short form alone, byte by byte, since every
// transaction of a sync passes through them; there "ae" is "a" as well.
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
