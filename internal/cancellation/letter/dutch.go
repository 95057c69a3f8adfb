package letter

import "aviso/internal/cancellation"

// dutch covers the Netherlands, where a direct debit is an automatische incasso, and
// Flanders, where it is a domiciliëring.
func dutch() map[cancellation.Locale]wording {
	nl := wording{
		date: "{day} {month} {year}",
		months: [...]string{
			"januari", "februari", "maart", "april", "mei", "juni",
			"juli", "augustus", "september", "oktober", "november", "december",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefoon: {value}",
		email:     "E-mail: {value}",
		byEmail:   "Per e-mail: {value}",
		byFax:     "Per fax: {value}",
		countries: dutchCountries(),

		subject:   "Opzegging: {product}",
		heading:   "Betreft: {subject}",
		reference: "{label}: {value}",

		salutation: "Geachte heer of mevrouw,",
		notice: "Hierbij zeg ik mijn overeenkomst ‘{product}’ met u op tegen de eerst mogelijke datum, met " +
			"inachtneming van de geldende opzegtermijn. Kan de overeenkomst niet tegen die datum eindigen, dan geldt " +
			"deze opzegging tegen de eerstvolgende datum waarop dat wel kan.",
		noticeTo: "Hierbij zeg ik mijn overeenkomst ‘{product}’ met u op tegen {end} of, als dat niet mogelijk is, " +
			"tegen de eerst mogelijke datum, met inachtneming van de geldende opzegtermijn.",
		confirmation: "Ik verzoek u mij de ontvangst van deze opzegging en de einddatum van de overeenkomst " +
			"schriftelijk of per e-mail te bevestigen.",
		directDebit: "Een door mij afgegeven machtiging voor automatische incasso (SEPA) trek ik in per de einddatum " +
			"van de overeenkomst. Bedragen die vóór die datum verschuldigd zijn, vallen hier niet onder.",
		deletion: "Daarnaast verzoek ik u op grond van artikel 17 van de Algemene verordening gegevensbescherming " +
			"(AVG) mijn persoonsgegevens te wissen zodra ze niet meer nodig zijn voor de afwikkeling van de " +
			"overeenkomst. Voor zover een wettelijke bewaarplicht daaraan in de weg staat, verzoek ik u de " +
			"verwerking te beperken (artikel 18 AVG) en de gegevens na afloop van die termijn te wissen. Wilt u mij " +
			"ook de wissing bevestigen?",
		closing: "Met vriendelijke groet,",
		page:    "Pagina {page} van {pages}",

		mailNotice: "Hierbij zeg ik mijn overeenkomst ‘{product}’ met u op tegen de eerst mogelijke datum. Mijn " +
			"opzeggingsbrief van {date} vindt u als PDF in de bijlage.",
		mailNoticeTo: "Hierbij zeg ik mijn overeenkomst ‘{product}’ met u op tegen {end} of, als dat niet mogelijk " +
			"is, tegen de eerst mogelijke datum. Mijn opzeggingsbrief van {date} vindt u als PDF in de bijlage.",
		mailConfirmation: "Ik verzoek u mij de ontvangst van deze opzegging en de einddatum van de overeenkomst te " +
			"bevestigen.",
		mailDeletion: "Ook verzoek ik u mijn persoonsgegevens te wissen, zoals in de brief staat.",
		fileName:     "Opzegging.pdf",
	}

	be := nl
	be.phone = "Tel.: {value}"
	be.salutation = "Geachte heer, geachte mevrouw,"
	be.directDebit = "Een door mij verleende domiciliëring (SEPA-mandaat) herroep ik vanaf de einddatum van de " +
		"overeenkomst. Bedragen die vóór die datum verschuldigd zijn, vallen hier niet onder."
	be.closing = "Met vriendelijke groeten,"

	return map[cancellation.Locale]wording{"nl-NL": nl, "nl-BE": be}
}

func dutchCountries() map[string]string {
	return map[string]string{
		"AT": "Oostenrijk", "BE": "België", "BG": "Bulgarije", "CH": "Zwitserland", "CY": "Cyprus", "CZ": "Tsjechië",
		"DE": "Duitsland", "DK": "Denemarken", "EE": "Estland", "ES": "Spanje", "FI": "Finland", "FR": "Frankrijk",
		"GB": "Verenigd Koninkrijk", "GR": "Griekenland", "HR": "Kroatië", "HU": "Hongarije", "IE": "Ierland",
		"IS": "IJsland", "IT": "Italië", "LI": "Liechtenstein", "LT": "Litouwen", "LU": "Luxemburg", "LV": "Letland",
		"MT": "Malta", "NL": "Nederland", "NO": "Noorwegen", "PL": "Polen", "PT": "Portugal", "RO": "Roemenië",
		"SE": "Zweden", "SI": "Slovenië", "SK": "Slowakije", "US": "Verenigde Staten",
	}
}
