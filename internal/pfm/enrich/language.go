package enrich

// spoken returns, by country, the languages that its banks and shops use, as bits.
// English counts everywhere, so it is only listed where it is the main language.
func (s codeSet) spoken() map[string]uint64 {
	out := map[string]uint64{}
	for country, languages := range map[string][]string{
		"DE": {"DE"}, "AT": {"DE"}, "LI": {"DE"}, "CH": {"DE", "FR", "IT"},
		"FR": {"FR"}, "MC": {"FR"}, "LU": {"FR", "DE"}, "BE": {"NL", "FR", "DE"}, "NL": {"NL"},
		"ES": {"ES"}, "AD": {"ES", "FR"}, "PT": {"PT"}, "IT": {"IT"}, "SM": {"IT"},
		"GB": {"EN"}, "IE": {"EN"}, "MT": {"EN"},
		"SE": {"SV"}, "FI": {"FI", "SV"}, "DK": {"DA"}, "NO": {"NB"}, "PL": {"PL"},
		"CZ": {"CS", "SK"}, "SK": {"SK", "CS"}, "HU": {"HU"}, "RO": {"RO"}, "MD": {"RO"}, "BG": {"BG"},
		"GR": {"EL"}, "CY": {"EL"}, "HR": {"HR"}, "BA": {"HR"}, "RS": {"HR"}, "ME": {"HR"}, "SI": {"SL"},
		"EE": {"ET"}, "LV": {"LV"}, "LT": {"LT"}, "TR": {"TR"},
	} {
		for _, language := range languages {
			out[country] |= s[language]
		}
	}
	return out
}
