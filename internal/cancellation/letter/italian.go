package letter

import "aviso/internal/cancellation"

// italian covers Italy, and Switzerland with its own data protection act and direct
// debits.
func italian() map[cancellation.Locale]wording {
	it := wording{
		date:     "{day} {month} {year}",
		firstDay: "1°",
		months: [...]string{
			"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno",
			"luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefono: {value}",
		email:     "E-mail: {value}",
		byEmail:   "Via e-mail: {value}",
		byFax:     "Via fax: {value}",
		countries: italianCountries(),

		subject:   "Disdetta: {product}",
		heading:   "Oggetto: {subject}",
		reference: "{label}: {value}",

		salutation: "Spettabile {organization},",
		notice: "con la presente comunico la disdetta e il recesso dal contratto «{product}» in essere con voi, con " +
			"effetto dalla prima data utile e nel rispetto del termine di preavviso applicabile. Qualora il " +
			"contratto non possa cessare a tale data, la presente vale, in via subordinata, per la prima scadenza " +
			"utile successiva.",
		noticeTo: "con la presente comunico la disdetta e il recesso dal contratto «{product}» in essere con voi, " +
			"con cessazione in data {end} o, in via subordinata, alla prima data utile, nel rispetto del termine di " +
			"preavviso applicabile.",
		confirmation: "Vi chiedo di confermarmi per iscritto, per lettera o via e-mail, la ricezione della presente " +
			"e la data di cessazione del contratto.",
		directDebit: "Revoco, con effetto dalla cessazione del contratto, il mandato di addebito diretto SEPA " +
			"eventualmente rilasciato a vostro favore. Restano salvi gli importi che maturano prima di tale data.",
		deletion: "Chiedo inoltre, ai sensi dell’articolo 17 del Regolamento (UE) 2016/679 (GDPR), la cancellazione " +
			"dei miei dati personali non appena non siano più necessari alla chiusura del contratto. Qualora la " +
			"legge ne imponga la conservazione, chiedo di limitarne il trattamento (articolo 18) e di cancellarli " +
			"alla scadenza del termine. Vi prego di confermarmi anche l’avvenuta cancellazione.",
		closing: "Distinti saluti",
		page:    "Pagina {page} di {pages}",

		mailNotice: "con la presente comunico la disdetta e il recesso dal contratto «{product}» in essere con voi, " +
			"con effetto dalla prima data utile. In allegato trovate, in formato PDF, la mia lettera datata {date}.",
		mailNoticeTo: "con la presente comunico la disdetta e il recesso dal contratto «{product}» in essere con " +
			"voi, con cessazione in data {end} o, in via subordinata, alla prima data utile. In allegato trovate, " +
			"in formato PDF, la mia lettera datata {date}.",
		mailConfirmation: "Vi chiedo di confermarmi la ricezione della presente e la data di cessazione del contratto.",
		mailDeletion:     "Chiedo inoltre la cancellazione dei miei dati personali, come precisato nella lettera.",
		fileName:         "Disdetta.pdf",
	}

	ch := it
	ch.phone = "Tel. {value}"
	ch.heading = "Concerne: {subject}"
	ch.salutation = "Gentili Signore, egregi Signori,"
	ch.directDebit = "Revoco, per la fine del contratto, l’autorizzazione di addebito (LSV+ o Debit Direct) " +
		"eventualmente rilasciata a vostro favore. Restano salvi gli importi che maturano prima di tale data."
	ch.deletion = "Chiedo inoltre, in virtù degli art. 6 cpv. 4 e 32 cpv. 2 lett. c della legge federale sulla " +
		"protezione dei dati (LPD), la cancellazione dei miei dati personali non appena non siano più necessari alla " +
		"chiusura del contratto. I dati che la legge impone di conservare vanno cancellati alla scadenza del " +
		"termine. Vi prego di confermarmi anche l’avvenuta cancellazione."
	ch.closing = "Cordiali saluti"

	return map[cancellation.Locale]wording{"it-IT": it, "it-CH": ch}
}

func italianCountries() map[string]string {
	return map[string]string{
		"AT": "Austria", "BE": "Belgio", "BG": "Bulgaria", "CH": "Svizzera", "CY": "Cipro", "CZ": "Cechia",
		"DE": "Germania", "DK": "Danimarca", "EE": "Estonia", "ES": "Spagna", "FI": "Finlandia", "FR": "Francia",
		"GB": "Regno Unito", "GR": "Grecia", "HR": "Croazia", "HU": "Ungheria", "IE": "Irlanda", "IS": "Islanda",
		"IT": "Italia", "LI": "Liechtenstein", "LT": "Lituania", "LU": "Lussemburgo", "LV": "Lettonia",
		"MT": "Malta", "NL": "Paesi Bassi", "NO": "Norvegia", "PL": "Polonia", "PT": "Portogallo", "RO": "Romania",
		"SE": "Svezia", "SI": "Slovenia", "SK": "Slovacchia", "US": "Stati Uniti",
	}
}
