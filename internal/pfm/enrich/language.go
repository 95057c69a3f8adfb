package enrich

// spoken are the languages, as bits, in which the banks of a country
// write and its shops are named. English counts everywhere and is not listed.
func (s codeSet) spoken() map[string]uint64 {
	out := map[string]uint64{}
	for country, languages := range map[string][]string{
		"DE": {"DE"}, "AT": {"DE"}, "LI": {"DE"}, "CH": {"DE", "FR", "IT"},
		"FR": {"FR"}, "MC": {"FR"}, "LU": {"FR", "DE"}, "BE": {"NL", "FR", "DE"}, "NL": {"NL"},
		"ES": {"ES"}, "AD": {"ES", "FR"}, "PT": {"PT"}, "IT": {"IT"}, "SM": {"IT"},
		"GB": {"EN"}, "IE": {"EN"}, "MT": {"EN"},
		"SE": {"SV"}, "FI": {"FI", "SV"}, "DK": {"DA"}, "NO": {"NB"}, "PL": {"PL"},
	} {
		for _, language := range languages {
			out[country] |= s[language]
		}
	}
	return out
}
