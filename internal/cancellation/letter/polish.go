package letter

import "aviso/internal/cancellation"

// polish covers Poland. Months are in the genitive, "r." follows the year, and a direct
// debit is a polecenie zapłaty. No verb form reveals the sender's gender.
func polish() map[cancellation.Locale]wording {
	pl := wording{
		date: "{day} {month} {year}" + nbsp + "r.",
		months: [...]string{
			"stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
			"lipca", "sierpnia", "września", "października", "listopada", "grudnia",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefon: {value}",
		email:     "E-mail: {value}",
		byEmail:   "Pocztą elektroniczną: {value}",
		byFax:     "Faksem: {value}",
		countries: polishCountries(),

		subject:   "Wypowiedzenie umowy: {product}",
		heading:   "{subject}",
		reference: "{label}: {value}",

		salutation: "Szanowni Państwo,",
		notice: "niniejszym wypowiadam zawartą z Państwem umowę „{product}” z zachowaniem obowiązującego okresu " +
			"wypowiedzenia, ze skutkiem na najbliższy możliwy termin. Jeżeli wypowiedzenie nie może wywołać skutku w " +
			"tym terminie, proszę traktować je jako złożone na kolejny najbliższy dopuszczalny termin.",
		noticeTo: "niniejszym wypowiadam zawartą z Państwem umowę „{product}” z zachowaniem obowiązującego okresu " +
			"wypowiedzenia, ze skutkiem na dzień {end}, a jeżeli nie jest to możliwe – na najbliższy możliwy termin.",
		confirmation: "Proszę o potwierdzenie na piśmie lub pocztą elektroniczną otrzymania niniejszego " +
			"wypowiedzenia oraz daty rozwiązania umowy.",
		directDebit: "Z dniem rozwiązania umowy cofam udzieloną Państwu zgodę na obciążanie mojego rachunku w formie " +
			"polecenia zapłaty. Nie dotyczy to kwot wymagalnych przed tym dniem.",
		deletion: "Ponadto, na podstawie art. 17 rozporządzenia (UE) 2016/679 (RODO), żądam usunięcia moich danych " +
			"osobowych, gdy tylko przestaną być niezbędne do rozliczenia umowy. Jeżeli przepisy prawa nakazują " +
			"dalsze przechowywanie niektórych danych, proszę o ograniczenie ich przetwarzania (art. 18 RODO) i " +
			"usunięcie ich po upływie wymaganego okresu. Proszę o potwierdzenie również usunięcia danych.",
		closing: "Z poważaniem",
		page:    "Strona {page} z {pages}",

		mailNotice: "niniejszym wypowiadam zawartą z Państwem umowę „{product}” ze skutkiem na najbliższy możliwy " +
			"termin. Wypowiedzenie z dnia {date} przesyłam w załączniku jako plik PDF.",
		mailNoticeTo: "niniejszym wypowiadam zawartą z Państwem umowę „{product}” ze skutkiem na dzień {end}, a " +
			"jeżeli nie jest to możliwe – na najbliższy możliwy termin. Wypowiedzenie z dnia {date} przesyłam w " +
			"załączniku jako plik PDF.",
		mailConfirmation: "Proszę o potwierdzenie otrzymania wypowiedzenia oraz daty rozwiązania umowy.",
		mailDeletion:     "Żądam również usunięcia moich danych osobowych; szczegóły zawiera pismo.",
		fileName:         "Wypowiedzenie.pdf",
	}
	return map[cancellation.Locale]wording{"pl-PL": pl}
}

func polishCountries() map[string]string {
	return map[string]string{
		"AT": "Austria", "BE": "Belgia", "BG": "Bułgaria", "CH": "Szwajcaria", "CY": "Cypr", "CZ": "Czechy",
		"DE": "Niemcy", "DK": "Dania", "EE": "Estonia", "ES": "Hiszpania", "FI": "Finlandia", "FR": "Francja",
		"GB": "Wielka Brytania", "GR": "Grecja", "HR": "Chorwacja", "HU": "Węgry", "IE": "Irlandia",
		"IS": "Islandia", "IT": "Włochy", "LI": "Liechtenstein", "LT": "Litwa", "LU": "Luksemburg", "LV": "Łotwa",
		"MT": "Malta", "NL": "Niderlandy", "NO": "Norwegia", "PL": "Polska", "PT": "Portugalia", "RO": "Rumunia",
		"SE": "Szwecja", "SI": "Słowenia", "SK": "Słowacja", "US": "Stany Zjednoczone",
	}
}
