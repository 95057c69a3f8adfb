package letter

import "aviso/internal/cancellation"

// norwegian covers Norway, in Bokmål. Direct debits use AvtaleGiro, and the personal data
// act puts the GDPR into force.
func norwegian() map[cancellation.Locale]wording {
	nb := wording{
		date: "{day}. {month} {year}",
		months: [...]string{
			"januar", "februar", "mars", "april", "mai", "juni",
			"juli", "august", "september", "oktober", "november", "desember",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefon: {value}",
		email:     "E-post: {value}",
		byEmail:   "Per e-post: {value}",
		byFax:     "Per faks: {value}",
		countries: norwegianCountries(),

		subject:   "Oppsigelse: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Til rette vedkommende",
		notice: "Jeg sier herved opp avtalen min «{product}» med dere til tidligst mulige tidspunkt, i samsvar med " +
			"gjeldende oppsigelsestid. Dersom avtalen ikke kan opphøre på dette tidspunktet, gjelder oppsigelsen " +
			"subsidiært til første mulige tidspunkt deretter.",
		noticeTo: "Jeg sier herved opp avtalen min «{product}» med dere til {end}, subsidiært til tidligst mulige " +
			"tidspunkt, i samsvar med gjeldende oppsigelsestid.",
		confirmation: "Jeg ber dere bekrefte skriftlig, per brev eller e-post, at dere har mottatt oppsigelsen, og " +
			"hvilken dato avtalen opphører.",
		directDebit: "En eventuell fullmakt til AvtaleGiro trekker jeg tilbake fra den datoen avtalen opphører. " +
			"Beløp som forfaller før denne datoen, berøres ikke.",
		deletion: "Jeg krever også, etter artikkel 17 i personvernforordningen (GDPR) og personopplysningsloven § 1, " +
			"at dere sletter personopplysningene mine så snart de ikke lenger er nødvendige for å avslutte avtalen. " +
			"Opplysninger som dere etter loven må oppbevare, ber jeg dere begrense behandlingen av (artikkel 18) og " +
			"slette når fristen er utløpt. Jeg ber dere også bekrefte slettingen.",
		closing: "Med vennlig hilsen",
		page:    "Side {page} av {pages}",

		mailNotice: "Jeg sier herved opp avtalen min «{product}» med dere til tidligst mulige tidspunkt. Brevet mitt " +
			"av {date} er vedlagt som PDF.",
		mailNoticeTo: "Jeg sier herved opp avtalen min «{product}» med dere til {end}, subsidiært til tidligst " +
			"mulige tidspunkt. Brevet mitt av {date} er vedlagt som PDF.",
		mailConfirmation: "Jeg ber dere bekrefte at dere har mottatt oppsigelsen, og hvilken dato avtalen opphører.",
		mailDeletion:     "Jeg krever også at personopplysningene mine slettes; det nærmere står i brevet.",
		fileName:         "Oppsigelse.pdf",
	}
	return map[cancellation.Locale]wording{"nb-NO": nb}
}

func norwegianCountries() map[string]string {
	return map[string]string{
		"AT": "Østerrike", "BE": "Belgia", "BG": "Bulgaria", "CH": "Sveits", "CY": "Kypros", "CZ": "Tsjekkia",
		"DE": "Tyskland", "DK": "Danmark", "EE": "Estland", "ES": "Spania", "FI": "Finland", "FR": "Frankrike",
		"GB": "Storbritannia", "GR": "Hellas", "HR": "Kroatia", "HU": "Ungarn", "IE": "Irland", "IS": "Island",
		"IT": "Italia", "LI": "Liechtenstein", "LT": "Litauen", "LU": "Luxembourg", "LV": "Latvia", "MT": "Malta",
		"NL": "Nederland", "NO": "Norge", "PL": "Polen", "PT": "Portugal", "RO": "Romania", "SE": "Sverige",
		"SI": "Slovenia", "SK": "Slovakia", "US": "USA",
	}
}
