package letter

import "aviso/internal/cancellation"

// french covers France, which has a law on tacit renewal and a data protection act
// besides the GDPR; Belgium, where a direct debit is a domiciliation; and Switzerland,
// which has its own data protection act and direct debits, and no space before a colon.
// The first of a month is "1er" everywhere.
func french() map[cancellation.Locale]wording {
	fr := wording{
		date:     "{day} {month} {year}",
		firstDay: "1er",
		months: [...]string{
			"janvier", "février", "mars", "avril", "mai", "juin",
			"juillet", "août", "septembre", "octobre", "novembre", "décembre",
		},
		placeAndDate: "{place}, le {date}",
		dateAlone:    "Le {date}",

		phone:     "Téléphone" + nbsp + ": {value}",
		email:     "Courriel" + nbsp + ": {value}",
		byEmail:   "Par courriel" + nbsp + ": {value}",
		byFax:     "Par télécopie" + nbsp + ": {value}",
		countries: frenchCountries(),

		subject:   "Résiliation du contrat «" + nbsp + "{product}" + nbsp + "»",
		heading:   "Objet" + nbsp + ": {subject}",
		reference: "{label}" + nbsp + ": {value}",

		salutation: "Madame, Monsieur,",
		notice: "Par la présente, je vous notifie la résiliation de mon contrat «" + nbsp + "{product}" + nbsp + "», " +
			"avec effet à la première date possible, dans le respect du préavis applicable et, s’il s’agit d’un " +
			"contrat à reconduction tacite, des articles L. 215-1 et suivants du Code de la consommation. Si la " +
			"résiliation ne pouvait prendre effet à cette date, la présente vaudrait à titre subsidiaire pour la " +
			"prochaine échéance.",
		noticeTo: "Par la présente, je vous notifie la résiliation de mon contrat " +
			"«" + nbsp + "{product}" + nbsp + "», avec effet au {end} ou, à défaut, à la première date possible, " +
			"dans le respect du préavis applicable et, s’il s’agit d’un contrat à reconduction tacite, des articles " +
			"L. 215-1 et suivants du Code de la consommation.",
		confirmation: "Je vous remercie de me confirmer par écrit, par lettre ou par courriel, la réception de cette " +
			"résiliation ainsi que la date à laquelle le contrat prend fin.",
		directDebit: "Je révoque, à compter de la fin du contrat, tout mandat de prélèvement SEPA consenti en votre " +
			"faveur. Les sommes exigibles avant cette date ne sont pas concernées.",
		deletion: "Par ailleurs, en application de l’article 17 du règlement (UE) 2016/679 (RGPD) et de l’article 51 " +
			"de la loi n° 78-17 du 6 janvier 1978, je vous demande d’effacer mes données personnelles dès qu’elles " +
			"ne sont plus nécessaires à la liquidation du contrat. Si la loi vous oblige à en conserver certaines, " +
			"je vous prie d’en limiter le traitement (article 18 du RGPD) puis de les effacer au terme du délai " +
			"légal. Je vous remercie de me confirmer également cet effacement.",
		closing: "Je vous prie d’agréer, Madame, Monsieur, l’expression de mes salutations distinguées.",
		page:    "Page {page} sur {pages}",

		mailNotice: "Par la présente, je vous notifie la résiliation de mon contrat «" + nbsp + "{product}" + nbsp +
			"», avec effet à la première date possible. Vous trouverez ma lettre du {date} en pièce jointe, " +
			"au format PDF.",
		mailNoticeTo: "Par la présente, je vous notifie la résiliation de mon contrat " +
			"«" + nbsp + "{product}" + nbsp + "», avec effet au {end} ou, à défaut, à la première date possible. " +
			"Vous trouverez ma lettre du {date} en pièce jointe, au format PDF.",
		mailConfirmation: "Je vous remercie de me confirmer la réception de cette résiliation ainsi que la date à " +
			"laquelle le contrat prend fin.",
		mailDeletion: "Je demande en outre l’effacement de mes données personnelles, comme précisé dans la lettre.",
		fileName:     "Resiliation.pdf",
	}

	be := fr
	be.phone = "Tél." + nbsp + ": {value}"
	be.email = "E-mail" + nbsp + ": {value}"
	be.byEmail = "Par e-mail" + nbsp + ": {value}"
	be.byFax = "Par fax" + nbsp + ": {value}"
	be.notice = "Par la présente, je vous notifie la résiliation de mon contrat «" + nbsp + "{product}" + nbsp + "», " +
		"avec effet à la première date possible et dans le respect du préavis applicable. Si la résiliation ne " +
		"pouvait prendre effet à cette date, la présente vaudrait à titre subsidiaire pour la prochaine échéance."
	be.noticeTo = "Par la présente, je vous notifie la résiliation de mon contrat " +
		"«" + nbsp + "{product}" + nbsp + "», avec effet au {end} ou, à défaut, à la première date possible, dans " +
		"le respect du préavis applicable."
	be.confirmation = "Je vous remercie de me confirmer par écrit, par lettre ou par e-mail, la réception de cette " +
		"résiliation ainsi que la date à laquelle le contrat prend fin."
	be.directDebit = "Je révoque, à compter de la fin du contrat, toute domiciliation (mandat SEPA) consentie en " +
		"votre faveur. Les sommes exigibles avant cette date ne sont pas concernées."
	be.deletion = "Par ailleurs, en application de l’article 17 du règlement général sur la protection des données " +
		"(RGPD), je vous demande d’effacer mes données à caractère personnel dès qu’elles ne sont plus nécessaires à " +
		"la liquidation du contrat. Si la loi vous oblige à en conserver certaines, je vous prie d’en limiter le " +
		"traitement (article 18 du RGPD) puis de les effacer au terme du délai légal. Je vous remercie de me " +
		"confirmer également cet effacement."

	ch := be
	ch.phone, ch.email = "Tél. {value}", "E-mail: {value}"
	ch.byEmail, ch.byFax = "Par e-mail: {value}", "Par fax: {value}"
	ch.heading = "Concerne: {subject}"
	ch.reference = "{label}: {value}"
	ch.directDebit = "Je révoque, pour la fin du contrat, toute autorisation de débit (LSV+ ou Debit Direct) " +
		"consentie en votre faveur. Les sommes exigibles avant cette date ne sont pas concernées."
	ch.deletion = "Par ailleurs, sur la base des art. 6 al. 4 et 32 al. 2 let. c de la loi fédérale sur la " +
		"protection des données (LPD), je vous demande d’effacer mes données personnelles dès qu’elles ne sont plus " +
		"nécessaires à la liquidation du contrat. Si la loi vous oblige à en conserver certaines, je vous prie de " +
		"les effacer au terme du délai légal. Je vous remercie de me confirmer également cet effacement."
	ch.closing = "Je vous prie d’agréer, Madame, Monsieur, mes salutations distinguées."

	return map[cancellation.Locale]wording{"fr-FR": fr, "fr-BE": be, "fr-CH": ch}
}

func frenchCountries() map[string]string {
	return map[string]string{
		"AT": "Autriche", "BE": "Belgique", "BG": "Bulgarie", "CH": "Suisse", "CY": "Chypre", "CZ": "Tchéquie",
		"DE": "Allemagne", "DK": "Danemark", "EE": "Estonie", "ES": "Espagne", "FI": "Finlande", "FR": "France",
		"GB": "Royaume-Uni", "GR": "Grèce", "HR": "Croatie", "HU": "Hongrie", "IE": "Irlande", "IS": "Islande",
		"IT": "Italie", "LI": "Liechtenstein", "LT": "Lituanie", "LU": "Luxembourg", "LV": "Lettonie", "MT": "Malte",
		"NL": "Pays-Bas", "NO": "Norvège", "PL": "Pologne", "PT": "Portugal", "RO": "Roumanie", "SE": "Suède",
		"SI": "Slovénie", "SK": "Slovaquie", "US": "États-Unis",
	}
}
