package letter

import "aviso/internal/cancellation"

// german covers Germany; Austria, which has its own words for January and for a direct
// debit; and Switzerland, which writes no ß and no comma after the salutation, has its
// own quotation marks, data protection act and direct debits.
func german() map[cancellation.Locale]wording {
	de := wording{
		date: "{day}. {month} {year}",
		months: [...]string{
			"Januar", "Februar", "März", "April", "Mai", "Juni",
			"Juli", "August", "September", "Oktober", "November", "Dezember",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefon: {value}",
		email:     "E-Mail: {value}",
		byEmail:   "Per E-Mail: {value}",
		byFax:     "Per Telefax: {value}",
		countries: germanCountries(),

		subject:   "Kündigung: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Sehr geehrte Damen und Herren,",
		notice: "hiermit kündige ich den zwischen uns bestehenden Vertrag „{product}“ ordentlich und fristgerecht " +
			"zum nächstmöglichen Zeitpunkt. Sollte die Kündigung zu diesem Zeitpunkt nicht wirksam werden können, " +
			"gilt sie hilfsweise zum danach nächstmöglichen Termin.",
		noticeTo: "hiermit kündige ich den zwischen uns bestehenden Vertrag „{product}“ ordentlich und fristgerecht " +
			"zum {end}, hilfsweise zum nächstmöglichen Zeitpunkt.",
		confirmation: "Bitte bestätigen Sie mir den Eingang dieser Kündigung und das Datum, zu dem der Vertrag " +
			"endet, schriftlich oder per E-Mail.",
		directDebit: "Ein Ihnen erteiltes SEPA-Lastschriftmandat widerrufe ich mit Wirkung zum Ende des Vertrags. " +
			"Beträge, die bis dahin fällig werden, bleiben davon unberührt.",
		contact: "Von Anrufen und Schreiben mit dem Ziel, mich zum Bleiben zu bewegen, bitte ich abzusehen.",
		deletion: "Zugleich verlange ich nach Art. 17 der Datenschutz-Grundverordnung (DSGVO) die unverzügliche " +
			"Löschung meiner personenbezogenen Daten, sobald sie für die Abwicklung des Vertrags nicht mehr nötig " +
			"sind. Soweit gesetzliche Aufbewahrungspflichten entgegenstehen, bitte ich Sie, die Verarbeitung bis zu " +
			"deren Ablauf einzuschränken (Art. 18 DSGVO) und die Daten danach zu löschen. Bitte bestätigen Sie mir " +
			"auch die Löschung.",
		closing: "Mit freundlichen Grüßen",
		page:    "Seite {page} von {pages}",

		mailNotice: "hiermit kündige ich den zwischen uns bestehenden Vertrag „{product}“ ordentlich und " +
			"fristgerecht zum nächstmöglichen Zeitpunkt. Das Kündigungsschreiben vom {date} liegt dieser E-Mail als " +
			"PDF bei.",
		mailNoticeTo: "hiermit kündige ich den zwischen uns bestehenden Vertrag „{product}“ ordentlich und " +
			"fristgerecht zum {end}, hilfsweise zum nächstmöglichen Zeitpunkt. Das Kündigungsschreiben vom {date} " +
			"liegt dieser E-Mail als PDF bei.",
		mailConfirmation: "Bitte bestätigen Sie mir den Eingang der Kündigung und das Datum, zu dem der Vertrag endet.",
		mailDeletion: "Außerdem verlange ich die Löschung meiner personenbezogenen Daten; Näheres steht im " +
			"Schreiben.",
		fileName: "Kuendigung.pdf",
	}

	at := de
	at.months[0] = "Jänner"
	at.directDebit = "Ein Ihnen erteiltes SEPA-Lastschriftmandat (Einziehungsermächtigung) widerrufe ich mit Wirkung " +
		"zum Ende des Vertrags. Beträge, die bis dahin fällig werden, bleiben davon unberührt."

	ch := de
	ch.salutation = "Sehr geehrte Damen und Herren"
	ch.notice = "Hiermit kündige ich den zwischen uns bestehenden Vertrag «{product}» ordentlich und fristgerecht " +
		"auf den nächstmöglichen Termin. Sollte die Kündigung auf diesen Termin nicht wirksam werden können, gilt " +
		"sie hilfsweise auf den danach nächstmöglichen Termin."
	ch.noticeTo = "Hiermit kündige ich den zwischen uns bestehenden Vertrag «{product}» ordentlich und fristgerecht " +
		"auf den {end}, eventualiter auf den nächstmöglichen Termin."
	ch.confirmation = "Bitte bestätigen Sie mir den Eingang dieser Kündigung und das Datum, auf das der Vertrag " +
		"endet, schriftlich oder per E-Mail."
	ch.directDebit = "Eine Ihnen erteilte Belastungsermächtigung (LSV+ oder Debit Direct) widerrufe ich auf das Ende " +
		"des Vertrags. Beträge, die bis dahin fällig werden, bleiben davon unberührt."
	ch.deletion = "Gestützt auf Art. 6 Abs. 4 und Art. 32 Abs. 2 Bst. c des Bundesgesetzes über den Datenschutz " +
		"(DSG) verlange ich zudem, dass Sie meine Personendaten löschen, sobald sie für die Abwicklung des Vertrags " +
		"nicht mehr nötig sind. Daten, die Sie von Gesetzes wegen aufbewahren müssen, bitte ich Sie nach Ablauf der " +
		"Frist zu löschen. Bitte bestätigen Sie mir auch die Löschung."
	ch.closing = "Freundliche Grüsse"
	ch.mailNotice = "Hiermit kündige ich den zwischen uns bestehenden Vertrag «{product}» ordentlich und " +
		"fristgerecht auf den nächstmöglichen Termin. Das Kündigungsschreiben vom {date} liegt dieser E-Mail als PDF " +
		"bei."
	ch.mailNoticeTo = "Hiermit kündige ich den zwischen uns bestehenden Vertrag «{product}» ordentlich und " +
		"fristgerecht auf den {end}, eventualiter auf den nächstmöglichen Termin. Das Kündigungsschreiben vom " +
		"{date} liegt dieser E-Mail als PDF bei."
	ch.mailConfirmation = "Bitte bestätigen Sie mir den Eingang der Kündigung und das Datum, auf das der Vertrag endet."
	ch.mailDeletion = "Ausserdem verlange ich die Löschung meiner Personendaten; Näheres steht im Schreiben."

	return map[cancellation.Locale]wording{"de-DE": de, "de-AT": at, "de-CH": ch}
}

func germanCountries() map[string]string {
	return map[string]string{
		"AT": "Österreich", "BE": "Belgien", "BG": "Bulgarien", "CH": "Schweiz", "CY": "Zypern", "CZ": "Tschechien",
		"DE": "Deutschland", "DK": "Dänemark", "EE": "Estland", "ES": "Spanien", "FI": "Finnland",
		"FR": "Frankreich", "GB": "Vereinigtes Königreich", "GR": "Griechenland", "HR": "Kroatien", "HU": "Ungarn",
		"IE": "Irland", "IS": "Island", "IT": "Italien", "LI": "Liechtenstein", "LT": "Litauen", "LU": "Luxemburg",
		"LV": "Lettland", "MT": "Malta", "NL": "Niederlande", "NO": "Norwegen", "PL": "Polen", "PT": "Portugal",
		"RO": "Rumänien", "SE": "Schweden", "SI": "Slowenien", "SK": "Slowakei", "US": "Vereinigte Staaten",
	}
}
