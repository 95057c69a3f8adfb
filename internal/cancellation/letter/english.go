package letter

import "aviso/internal/cancellation"

// english covers the United Kingdom, with the UK GDPR and Direct Debit Instructions, and
// Ireland, with the EU's GDPR and SEPA mandates. The date has no place.
func english() map[cancellation.Locale]wording {
	gb := wording{
		date: "{day} {month} {year}",
		months: [...]string{
			"January", "February", "March", "April", "May", "June",
			"July", "August", "September", "October", "November", "December",
		},
		placeAndDate: "{date}",
		dateAlone:    "{date}",

		phone:     "Phone: {value}",
		email:     "Email: {value}",
		byEmail:   "By email: {value}",
		byFax:     "By fax: {value}",
		countries: englishCountries(),

		subject:   "Notice of cancellation: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Dear Sir or Madam,",
		notice: "I am writing to give you notice that I am ending my contract with you for “{product}” with effect " +
			"from the earliest date on which it can be ended, in keeping with any notice period that applies. If it " +
			"cannot end on that date, please treat this letter as notice for the next date possible.",
		noticeTo: "I am writing to give you notice that I am ending my contract with you for “{product}” on {end} " +
			"or, failing that, on the earliest date on which it can be ended, in keeping with any notice period " +
			"that applies.",
		confirmation: "Please confirm in writing, by letter or email, that you have received this notice and the " +
			"date on which the contract ends.",
		directDebit: "I withdraw my authority for payments by Direct Debit from the end of the contract. Please " +
			"cancel the Direct Debit Instruction as of that date. Sums that fall due before then are not affected.",
		deletion: "I also request, under Article 17 of the UK GDPR, that you erase my personal data as soon as they " +
			"are no longer needed to bring the contract to an end. If the law obliges you to keep some of them, " +
			"please restrict their use to that purpose (Article 18) and erase them once the obligation ends. Please " +
			"confirm the erasure to me as well.",
		closing: "Yours faithfully,",
		page:    "Page {page} of {pages}",

		mailNotice: "I am writing to give you notice that I am ending my contract with you for “{product}” with " +
			"effect from the earliest date on which it can be ended. My letter of {date} is attached to this email " +
			"as a PDF.",
		mailNoticeTo: "I am writing to give you notice that I am ending my contract with you for “{product}” on " +
			"{end} or, failing that, on the earliest date on which it can be ended. My letter of {date} is attached " +
			"to this email as a PDF.",
		mailConfirmation: "Please confirm that you have received this notice and the date on which the contract ends.",
		mailDeletion:     "I also request the erasure of my personal data, as set out in the letter.",
		fileName:         "Cancellation.pdf",
	}

	ie := gb
	ie.directDebit = "I withdraw any SEPA Direct Debit mandate that I have given you with effect from the end of the " +
		"contract. Sums that fall due before then are not affected."
	ie.deletion = "I also request, under Article 17 of the General Data Protection Regulation (GDPR), that you erase " +
		"my personal data as soon as they are no longer needed to bring the contract to an end. If the law obliges " +
		"you to keep some of them, please restrict their use to that purpose (Article 18) and erase them once the " +
		"obligation ends. Please confirm the erasure to me as well."

	return map[cancellation.Locale]wording{"en-GB": gb, "en-IE": ie}
}

func englishCountries() map[string]string {
	return map[string]string{
		"AT": "Austria", "BE": "Belgium", "BG": "Bulgaria", "CH": "Switzerland", "CY": "Cyprus", "CZ": "Czechia",
		"DE": "Germany", "DK": "Denmark", "EE": "Estonia", "ES": "Spain", "FI": "Finland", "FR": "France",
		"GB": "United Kingdom", "GR": "Greece", "HR": "Croatia", "HU": "Hungary", "IE": "Ireland", "IS": "Iceland",
		"IT": "Italy", "LI": "Liechtenstein", "LT": "Lithuania", "LU": "Luxembourg", "LV": "Latvia", "MT": "Malta",
		"NL": "Netherlands", "NO": "Norway", "PL": "Poland", "PT": "Portugal", "RO": "Romania", "SE": "Sweden",
		"SI": "Slovenia", "SK": "Slovakia", "US": "United States",
	}
}
