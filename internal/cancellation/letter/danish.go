package letter

import "aviso/internal/cancellation"

// danish covers Denmark, where direct debits use Betalingsservice.
func danish() map[cancellation.Locale]wording {
	da := wording{
		date: "{day}. {month} {year}",
		months: [...]string{
			"januar", "februar", "marts", "april", "maj", "juni",
			"juli", "august", "september", "oktober", "november", "december",
		},
		placeAndDate: "{place}, den {date}",
		dateAlone:    "Den {date}",

		phone:     "Telefon: {value}",
		email:     "E-mail: {value}",
		byEmail:   "Via e-mail: {value}",
		byFax:     "Via fax: {value}",
		countries: danishCountries(),

		subject:   "Opsigelse: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Til rette vedkommende",
		notice: "Hermed opsiger jeg min aftale ”{product}” med jer til det tidligst mulige tidspunkt under " +
			"iagttagelse af det gældende opsigelsesvarsel. Hvis aftalen ikke kan ophøre på dette tidspunkt, gælder " +
			"opsigelsen subsidiært til det førstkommende tidspunkt derefter.",
		noticeTo: "Hermed opsiger jeg min aftale ”{product}” med jer til den {end}, subsidiært til det tidligst " +
			"mulige tidspunkt, under iagttagelse af det gældende opsigelsesvarsel.",
		confirmation: "Jeg beder jer om skriftligt, pr. brev eller e-mail, at bekræfte, at I har modtaget " +
			"opsigelsen, og på hvilken dato aftalen ophører.",
		directDebit: "En eventuel betalingsaftale hos Betalingsservice tilbagekalder jeg fra den dato, hvor aftalen " +
			"ophører. Beløb, der forfalder før denne dato, berøres ikke.",
		deletion: "Jeg anmoder desuden efter artikel 17 i databeskyttelsesforordningen (GDPR) om, at I sletter mine " +
			"personoplysninger, så snart de ikke længere er nødvendige for at afslutte aftalen. Oplysninger, som I " +
			"efter loven skal opbevare, beder jeg jer begrænse behandlingen af (artikel 18) og slette, når fristen " +
			"er udløbet. Jeg beder jer også bekræfte sletningen.",
		closing: "Med venlig hilsen",
		page:    "Side {page} af {pages}",

		mailNotice: "Hermed opsiger jeg min aftale ”{product}” med jer til det tidligst mulige tidspunkt. Mit brev " +
			"af {date} er vedhæftet som PDF.",
		mailNoticeTo: "Hermed opsiger jeg min aftale ”{product}” med jer til den {end}, subsidiært til det tidligst " +
			"mulige tidspunkt. Mit brev af {date} er vedhæftet som PDF.",
		mailConfirmation: "Jeg beder jer bekræfte, at I har modtaget opsigelsen, og på hvilken dato aftalen ophører.",
		mailDeletion:     "Jeg anmoder desuden om sletning af mine personoplysninger; det nærmere fremgår af brevet.",
		fileName:         "Opsigelse.pdf",
	}
	return map[cancellation.Locale]wording{"da-DK": da}
}

func danishCountries() map[string]string {
	return map[string]string{
		"AT": "Østrig", "BE": "Belgien", "BG": "Bulgarien", "CH": "Schweiz", "CY": "Cypern", "CZ": "Tjekkiet",
		"DE": "Tyskland", "DK": "Danmark", "EE": "Estland", "ES": "Spanien", "FI": "Finland", "FR": "Frankrig",
		"GB": "Storbritannien", "GR": "Grækenland", "HR": "Kroatien", "HU": "Ungarn", "IE": "Irland", "IS": "Island",
		"IT": "Italien", "LI": "Liechtenstein", "LT": "Litauen", "LU": "Luxembourg", "LV": "Letland", "MT": "Malta",
		"NL": "Nederlandene", "NO": "Norge", "PL": "Polen", "PT": "Portugal", "RO": "Rumænien", "SE": "Sverige",
		"SI": "Slovenien", "SK": "Slovakiet", "US": "USA",
	}
}
