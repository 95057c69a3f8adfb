package letter

import "aviso/internal/cancellation"

// spanish covers Spain. Its data protection act supplements the GDPR and requires data
// that must be kept to be blocked.
func spanish() map[cancellation.Locale]wording {
	es := wording{
		date: "{day} de {month} de {year}",
		months: [...]string{
			"enero", "febrero", "marzo", "abril", "mayo", "junio",
			"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Teléfono: {value}",
		email:     "Correo electrónico: {value}",
		byEmail:   "Por correo electrónico: {value}",
		byFax:     "Por fax: {value}",
		countries: spanishCountries(),

		subject:   "Comunicación de baja: {product}",
		heading:   "Asunto: {subject}",
		reference: "{label}: {value}",

		salutation: "Muy señores míos:",
		notice: "Por medio de la presente les comunico mi decisión de poner fin al contrato «{product}» y solicito " +
			"que tramiten la baja con efectos desde la primera fecha posible, respetando el plazo de preaviso " +
			"aplicable. Si la baja no pudiera surtir efecto en esa fecha, ruego que se entienda solicitada, con " +
			"carácter subsidiario, para la siguiente fecha posible.",
		noticeTo: "Por medio de la presente les comunico mi decisión de poner fin al contrato «{product}» y " +
			"solicito que tramiten la baja con efectos de {end} o, subsidiariamente, desde la primera fecha " +
			"posible, respetando el plazo de preaviso aplicable.",
		confirmation: "Les ruego que me confirmen por escrito, por carta o por correo electrónico, la recepción de " +
			"esta comunicación y la fecha en la que finaliza el contrato.",
		directDebit: "Revoco, con efectos desde la finalización del contrato, la orden de domiciliación (mandato " +
			"SEPA) que tengan a su favor. Esto no afecta a los importes que venzan antes de esa fecha.",
		deletion: "Asimismo, en virtud del artículo 17 del Reglamento (UE) 2016/679 (RGPD) y del artículo 15 de la " +
			"Ley Orgánica 3/2018, solicito la supresión de mis datos personales en cuanto dejen de ser necesarios " +
			"para liquidar el contrato. Los datos que deban conservar por obligación legal habrán de quedar " +
			"bloqueados y suprimirse al término del plazo correspondiente. Les ruego que me confirmen también la " +
			"supresión.",
		closing: "Atentamente,",
		page:    "Página {page} de {pages}",

		mailNotice: "Por medio de la presente les comunico mi decisión de poner fin al contrato «{product}» y " +
			"solicito la baja con efectos desde la primera fecha posible. Adjunto en PDF mi carta de {date}.",
		mailNoticeTo: "Por medio de la presente les comunico mi decisión de poner fin al contrato «{product}» y " +
			"solicito la baja con efectos de {end} o, subsidiariamente, desde la primera fecha posible. Adjunto en " +
			"PDF mi carta de {date}.",
		mailConfirmation: "Les ruego que me confirmen la recepción de esta comunicación y la fecha en la que " +
			"finaliza el contrato.",
		mailDeletion: "Solicito además la supresión de mis datos personales, tal como se expone en la carta.",
		fileName:     "Baja.pdf",
	}
	return map[cancellation.Locale]wording{"es-ES": es}
}

func spanishCountries() map[string]string {
	return map[string]string{
		"AT": "Austria", "BE": "Bélgica", "BG": "Bulgaria", "CH": "Suiza", "CY": "Chipre", "CZ": "Chequia",
		"DE": "Alemania", "DK": "Dinamarca", "EE": "Estonia", "ES": "España", "FI": "Finlandia", "FR": "Francia",
		"GB": "Reino Unido", "GR": "Grecia", "HR": "Croacia", "HU": "Hungría", "IE": "Irlanda", "IS": "Islandia",
		"IT": "Italia", "LI": "Liechtenstein", "LT": "Lituania", "LU": "Luxemburgo", "LV": "Letonia", "MT": "Malta",
		"NL": "Países Bajos", "NO": "Noruega", "PL": "Polonia", "PT": "Portugal", "RO": "Rumanía", "SE": "Suecia",
		"SI": "Eslovenia", "SK": "Eslovaquia", "US": "Estados Unidos",
	}
}
