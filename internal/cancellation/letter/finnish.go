package letter

import "aviso/internal/cancellation"

// finnish covers Finland. Direct debits no longer exist there: payees use e-invoices
// (e-lasku) or direct payment (suoramaksu). The place before the date is not inflected,
// because not every place name follows the rules.
func finnish() map[cancellation.Locale]wording {
	fi := wording{
		date: "{day}. {month} {year}",
		months: [...]string{
			"tammikuuta", "helmikuuta", "maaliskuuta", "huhtikuuta", "toukokuuta", "kesäkuuta",
			"heinäkuuta", "elokuuta", "syyskuuta", "lokakuuta", "marraskuuta", "joulukuuta",
		},
		placeAndDate: "{place} {date}",
		dateAlone:    "{date}",

		phone:     "Puhelin: {value}",
		email:     "Sähköposti: {value}",
		byEmail:   "Sähköpostitse: {value}",
		byFax:     "Faksilla: {value}",
		countries: finnishCountries(),

		subject:   "Irtisanominen: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Hyvä vastaanottaja",
		notice: "Irtisanon kanssanne tekemäni sopimuksen ”{product}” päättymään ensimmäisenä mahdollisena " +
			"ajankohtana sovellettavaa irtisanomisaikaa noudattaen. Jos sopimus ei voi päättyä silloin, " +
			"irtisanominen koskee toissijaisesti seuraavaa mahdollista päättymisajankohtaa.",
		noticeTo: "Irtisanon kanssanne tekemäni sopimuksen ”{product}” päättymään {end} tai toissijaisesti " +
			"ensimmäisenä mahdollisena ajankohtana, sovellettavaa irtisanomisaikaa noudattaen.",
		confirmation: "Pyydän teitä vahvistamaan kirjallisesti, kirjeitse tai sähköpostitse, että olette " +
			"vastaanottaneet irtisanomisen, ja ilmoittamaan sopimuksen päättymispäivän.",
		directDebit: "Peruutan sopimuksen päättymispäivästä alkaen teille mahdollisesti antamani e-lasku- ja " +
			"suoramaksuvaltuutukset. Tämä ei koske maksuja, jotka erääntyvät ennen kyseistä päivää.",
		deletion: "Pyydän lisäksi EU:n yleisen tietosuoja-asetuksen (GDPR) 17 artiklan nojalla, että poistatte " +
			"henkilötietoni heti, kun niitä ei enää tarvita sopimuksen päättämiseen. Jos laki velvoittaa teidät " +
			"säilyttämään osan tiedoista, pyydän rajoittamaan niiden käsittelyä (18 artikla) ja poistamaan ne " +
			"säilytysajan päätyttyä. Pyydän vahvistamaan myös tietojen poistamisen.",
		closing: "Ystävällisin terveisin",
		page:    "Sivu {page}/{pages}",

		mailNotice: "Irtisanon kanssanne tekemäni sopimuksen ”{product}” päättymään ensimmäisenä mahdollisena " +
			"ajankohtana. Kirjeeni ({date}) on tämän viestin liitteenä PDF-tiedostona.",
		mailNoticeTo: "Irtisanon kanssanne tekemäni sopimuksen ”{product}” päättymään {end} tai toissijaisesti " +
			"ensimmäisenä mahdollisena ajankohtana. Kirjeeni ({date}) on tämän viestin liitteenä PDF-tiedostona.",
		mailConfirmation: "Pyydän teitä vahvistamaan irtisanomisen vastaanottamisen ja sopimuksen päättymispäivän.",
		mailDeletion:     "Pyydän lisäksi poistamaan henkilötietoni kirjeessä kerrotulla tavalla.",
		fileName:         "Irtisanominen.pdf",
	}
	return map[cancellation.Locale]wording{"fi-FI": fi}
}

func finnishCountries() map[string]string {
	return map[string]string{
		"AT": "Itävalta", "BE": "Belgia", "BG": "Bulgaria", "CH": "Sveitsi", "CY": "Kypros", "CZ": "Tšekki",
		"DE": "Saksa", "DK": "Tanska", "EE": "Viro", "ES": "Espanja", "FI": "Suomi", "FR": "Ranska",
		"GB": "Iso-Britannia", "GR": "Kreikka", "HR": "Kroatia", "HU": "Unkari", "IE": "Irlanti", "IS": "Islanti",
		"IT": "Italia", "LI": "Liechtenstein", "LT": "Liettua", "LU": "Luxemburg", "LV": "Latvia", "MT": "Malta",
		"NL": "Alankomaat", "NO": "Norja", "PL": "Puola", "PT": "Portugali", "RO": "Romania", "SE": "Ruotsi",
		"SI": "Slovenia", "SK": "Slovakia", "US": "Yhdysvallat",
	}
}
