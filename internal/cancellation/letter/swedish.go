package letter

import "aviso/internal/cancellation"

// swedish covers Sweden, where a direct debit is an autogiro. There is no comma between
// place and date or after the closing.
func swedish() map[cancellation.Locale]wording {
	sv := wording{
		date: "{day} {month} {year}",
		months: [...]string{
			"januari", "februari", "mars", "april", "maj", "juni",
			"juli", "augusti", "september", "oktober", "november", "december",
		},
		placeAndDate: "{place} den {date}",
		dateAlone:    "Den {date}",

		phone:     "Telefon: {value}",
		email:     "E-post: {value}",
		byEmail:   "Via e-post: {value}",
		byFax:     "Via fax: {value}",
		countries: swedishCountries(),

		subject:   "Uppsägning: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Hej,",
		notice: "Härmed säger jag upp mitt avtal ”{product}” med er till tidigast möjliga datum, med iakttagande av " +
			"gällande uppsägningstid. Om avtalet inte kan upphöra vid den tidpunkten ska uppsägningen i andra hand " +
			"gälla till närmast därefter möjliga datum.",
		noticeTo: "Härmed säger jag upp mitt avtal ”{product}” med er till den {end}, i andra hand till tidigast " +
			"möjliga datum, med iakttagande av gällande uppsägningstid.",
		confirmation: "Jag ber er att skriftligen, per brev eller e-post, bekräfta att ni har tagit emot " +
			"uppsägningen och vilket datum avtalet upphör.",
		directDebit: "Mitt medgivande till autogiro, om ett sådant finns, återkallar jag från och med den dag då " +
			"avtalet upphör. Belopp som förfaller dessförinnan berörs inte.",
		deletion: "Jag begär också, med stöd av artikel 17 i EU:s dataskyddsförordning (GDPR), att ni raderar mina " +
			"personuppgifter så snart de inte längre behövs för att avsluta avtalet. Uppgifter som ni enligt lag " +
			"måste bevara ber jag er att begränsa behandlingen av (artikel 18) och radera när den lagstadgade tiden " +
			"har löpt ut. Bekräfta gärna även att uppgifterna har raderats.",
		closing: "Med vänlig hälsning",
		page:    "Sida {page} av {pages}",

		mailNotice: "Härmed säger jag upp mitt avtal ”{product}” med er till tidigast möjliga datum. Mitt brev av " +
			"den {date} bifogas som PDF.",
		mailNoticeTo: "Härmed säger jag upp mitt avtal ”{product}” med er till den {end}, i andra hand till " +
			"tidigast möjliga datum. Mitt brev av den {date} bifogas som PDF.",
		mailConfirmation: "Jag ber er att bekräfta att ni har tagit emot uppsägningen och vilket datum avtalet upphör.",
		mailDeletion:     "Jag begär också att mina personuppgifter raderas; mer om detta står i brevet.",
		fileName:         "Uppsagning.pdf",
	}
	return map[cancellation.Locale]wording{"sv-SE": sv}
}

func swedishCountries() map[string]string {
	return map[string]string{
		"AT": "Österrike", "BE": "Belgien", "BG": "Bulgarien", "CH": "Schweiz", "CY": "Cypern", "CZ": "Tjeckien",
		"DE": "Tyskland", "DK": "Danmark", "EE": "Estland", "ES": "Spanien", "FI": "Finland", "FR": "Frankrike",
		"GB": "Storbritannien", "GR": "Grekland", "HR": "Kroatien", "HU": "Ungern", "IE": "Irland", "IS": "Island",
		"IT": "Italien", "LI": "Liechtenstein", "LT": "Litauen", "LU": "Luxemburg", "LV": "Lettland", "MT": "Malta",
		"NL": "Nederländerna", "NO": "Norge", "PL": "Polen", "PT": "Portugal", "RO": "Rumänien", "SE": "Sverige",
		"SI": "Slovenien", "SK": "Slovakien", "US": "USA",
	}
}
