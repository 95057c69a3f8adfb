package letter

import "aviso/internal/cancellation"

// portuguese covers Portugal.
func portuguese() map[cancellation.Locale]wording {
	pt := wording{
		date: "{day} de {month} de {year}",
		months: [...]string{
			"janeiro", "fevereiro", "março", "abril", "maio", "junho",
			"julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
		},
		placeAndDate: "{place}, {date}",
		dateAlone:    "{date}",

		phone:     "Telefone: {value}",
		email:     "E-mail: {value}",
		byEmail:   "Por e-mail: {value}",
		byFax:     "Por fax: {value}",
		countries: portugueseCountries(),

		subject:   "Denúncia do contrato: {product}",
		heading:   "Assunto: {subject}",
		reference: "{label}: {value}",

		salutation: "Exmos. Senhores,",
		notice: "Venho por este meio comunicar a denúncia do contrato «{product}» celebrado com V. Exas., com " +
			"efeitos a partir da primeira data possível e com respeito pelo prazo de pré-aviso aplicável. Caso o " +
			"contrato não possa cessar nessa data, deve a presente valer, a título subsidiário, para a data possível " +
			"seguinte.",
		noticeTo: "Venho por este meio comunicar a denúncia do contrato «{product}» celebrado com V. Exas., com " +
			"efeitos a {end} ou, a título subsidiário, a partir da primeira data possível, com respeito pelo prazo " +
			"de pré-aviso aplicável.",
		confirmation: "Solicito que me confirmem por escrito, por carta ou por e-mail, a receção desta denúncia e a " +
			"data em que o contrato cessa.",
		directDebit: "Revogo, com efeitos a partir da cessação do contrato, a autorização de débito direto SEPA " +
			"eventualmente concedida a V. Exas. Ficam ressalvados os montantes que se vençam antes dessa data.",
		deletion: "Solicito ainda, ao abrigo do artigo 17.º do Regulamento (UE) 2016/679 (RGPD), o apagamento dos " +
			"meus dados pessoais logo que deixem de ser necessários para o encerramento do contrato. Caso a lei " +
			"obrigue a conservar alguns deles, solicito a limitação do seu tratamento (artigo 18.º) e o seu " +
			"apagamento no termo do prazo legal. Agradeço que me confirmem também o apagamento.",
		closing: "Com os melhores cumprimentos,",
		page:    "Página {page} de {pages}",

		mailNotice: "Venho por este meio comunicar a denúncia do contrato «{product}» celebrado com V. Exas., com " +
			"efeitos a partir da primeira data possível. A minha carta de {date} segue em anexo, em formato PDF.",
		mailNoticeTo: "Venho por este meio comunicar a denúncia do contrato «{product}» celebrado com V. Exas., com " +
			"efeitos a {end} ou, a título subsidiário, a partir da primeira data possível. A minha carta de {date} " +
			"segue em anexo, em formato PDF.",
		mailConfirmation: "Solicito que me confirmem a receção desta denúncia e a data em que o contrato cessa.",
		mailDeletion:     "Solicito ainda o apagamento dos meus dados pessoais, nos termos indicados na carta.",
		fileName:         "Denuncia.pdf",
	}
	return map[cancellation.Locale]wording{"pt-PT": pt}
}

func portugueseCountries() map[string]string {
	return map[string]string{
		"AT": "Áustria", "BE": "Bélgica", "BG": "Bulgária", "CH": "Suíça", "CY": "Chipre", "CZ": "Chéquia",
		"DE": "Alemanha", "DK": "Dinamarca", "EE": "Estónia", "ES": "Espanha", "FI": "Finlândia", "FR": "França",
		"GB": "Reino Unido", "GR": "Grécia", "HR": "Croácia", "HU": "Hungria", "IE": "Irlanda", "IS": "Islândia",
		"IT": "Itália", "LI": "Listenstaine", "LT": "Lituânia", "LU": "Luxemburgo", "LV": "Letónia", "MT": "Malta",
		"NL": "Países Baixos", "NO": "Noruega", "PL": "Polónia", "PT": "Portugal", "RO": "Roménia", "SE": "Suécia",
		"SI": "Eslovénia", "SK": "Eslováquia", "US": "Estados Unidos",
	}
}
