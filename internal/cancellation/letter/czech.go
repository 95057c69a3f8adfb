package letter

import "aviso/internal/cancellation"

// czech covers Czechia, where a direct debit is an inkaso. Months are in the genitive, and
// the place before the date is not inflected (ČSN 01 6910). No verb form reveals the
// sender's gender.
func czech() map[cancellation.Locale]wording {
	cs := wording{
		date: "{day}. {month} {year}",
		months: [...]string{
			"ledna", "února", "března", "dubna", "května", "června",
			"července", "srpna", "září", "října", "listopadu", "prosince",
		},
		placeAndDate: "{place} dne {date}",
		dateAlone:    "Dne {date}",

		phone:     "Telefon: {value}",
		email:     "E-mail: {value}",
		byEmail:   "E-mailem: {value}",
		byFax:     "Faxem: {value}",
		countries: czechCountries(),

		subject:   "Výpověď smlouvy: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Vážená paní, vážený pane,",
		notice: "tímto vypovídám smlouvu „{product}“ uzavřenou s Vámi k nejbližšímu možnému datu při dodržení " +
			"příslušné výpovědní doby. Pokud smlouva k tomuto datu skončit nemůže, platí tato výpověď podpůrně k " +
			"nejbližšímu následujícímu možnému datu.",
		noticeTo: "tímto vypovídám smlouvu „{product}“ uzavřenou s Vámi, a to ke dni {end}, a není-li to možné, k " +
			"nejbližšímu možnému datu, při dodržení příslušné výpovědní doby.",
		confirmation: "Prosím, potvrďte mi písemně, dopisem nebo e-mailem, přijetí této výpovědi a datum, ke kterému " +
			"smlouva končí.",
		directDebit: "Ke dni skončení smlouvy odvolávám souhlas s inkasem udělený ve Váš prospěch. Netýká se to " +
			"částek splatných před tímto dnem.",
		deletion: "Dále podle čl. 17 nařízení (EU) 2016/679 (GDPR) žádám o výmaz svých osobních údajů, jakmile " +
			"nebudou potřebné pro vypořádání smlouvy. Pokud zákon ukládá některé údaje uchovávat, žádám o omezení " +
			"jejich zpracování (čl. 18) a o jejich výmaz po uplynutí zákonné lhůty. Prosím o potvrzení také tohoto " +
			"výmazu.",
		closing: "S pozdravem",
		page:    "Strana {page} z {pages}",

		mailNotice: "tímto vypovídám smlouvu „{product}“ uzavřenou s Vámi k nejbližšímu možnému datu. Výpověď ze dne " +
			"{date} přikládám ve formátu PDF.",
		mailNoticeTo: "tímto vypovídám smlouvu „{product}“ uzavřenou s Vámi, a to ke dni {end}, a není-li to možné, " +
			"k nejbližšímu možnému datu. Výpověď ze dne {date} přikládám ve formátu PDF.",
		mailConfirmation: "Prosím, potvrďte mi přijetí této výpovědi a datum, ke kterému smlouva končí.",
		mailDeletion:     "Žádám také o výmaz svých osobních údajů, jak je uvedeno v dopise.",
		fileName:         "Vypoved.pdf",
	}
	return map[cancellation.Locale]wording{"cs-CZ": cs}
}

func czechCountries() map[string]string {
	return map[string]string{
		"AT": "Rakousko", "BE": "Belgie", "BG": "Bulharsko", "CH": "Švýcarsko", "CY": "Kypr", "CZ": "Česko",
		"DE": "Německo", "DK": "Dánsko", "EE": "Estonsko", "ES": "Španělsko", "FI": "Finsko", "FR": "Francie",
		"GB": "Spojené království", "GR": "Řecko", "HR": "Chorvatsko", "HU": "Maďarsko", "IE": "Irsko",
		"IS": "Island", "IT": "Itálie", "LI": "Lichtenštejnsko", "LT": "Litva", "LU": "Lucembursko",
		"LV": "Lotyšsko", "MT": "Malta", "NL": "Nizozemsko", "NO": "Norsko", "PL": "Polsko", "PT": "Portugalsko",
		"RO": "Rumunsko", "SE": "Švédsko", "SI": "Slovinsko", "SK": "Slovensko", "US": "Spojené státy",
	}
}
