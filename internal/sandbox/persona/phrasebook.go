package persona

// phrasebook is how the banks of one language word things. In the texts of rows
// {brand} is a name, {BRAND} the same in capitals, {city} where the terminal
// stands, {cc} that country, {card} the masked card, {dm} and {time} when it was
// used, {month} the month, {ref} a reference number, {who} the other side.
type phrasebook struct {
	// Rows.
	card, atm, refund, hold, foreign          string
	debit, salary, rent, toSavings, back      string
	cardBill, interest, overdraft, fee        string
	tax, benefit, allowance, invoice, invest  string
	exchange, gift, moveIn, childcare, waters string
	// Accounts.
	current, savings, credit, joint, dollars             string
	currentName, savingsName, creditName, jointName, usd string
}

// place is what a country brings to a statement.
type place struct {
	cities                        []string
	employer, landlord, taxOffice string
	benefitOffice                 string
}

var places = map[string]place{
	"DE": {[]string{"BERLIN", "HAMBURG", "LEIPZIG", "KOELN", "MUENCHEN"}, "Norvik Logistik GmbH", "Hausverwaltung Lindenhof GbR", "Finanzamt Musterstadt", "Familienkasse Musterstadt"},
	"AT": {[]string{"WIEN", "GRAZ", "LINZ", "SALZBURG"}, "Alpenwerk Maschinenbau GmbH", "Immobilien Donauterrasse KG", "Finanzamt Musterbezirk", "Familienbeihilfe Musterbezirk"},
	"FR": {[]string{"PARIS", "LYON", "NANTES", "LILLE", "BORDEAUX"}, "Ateliers Corvanne SAS", "Régie Immobilière des Tilleuls", "DGFIP Ville-Modèle", "Caisse Familiale Ville-Modèle"},
	"ES": {[]string{"MADRID", "SEVILLA", "VALENCIA", "BILBAO"}, "Talleres Miravent SL", "Fincas Olivar Alto SL", "Agencia Tributaria Ejemplo", "Subsidio Familiar Ejemplo"},
	"IT": {[]string{"MILANO", "ROMA", "TORINO", "BOLOGNA"}, "Officine Valdastra SRL", "Immobiliare Tre Cipressi", "Ufficio Tributi Esempio", "Assegno Familiare Esempio"},
	"NL": {[]string{"AMSTERDAM", "UTRECHT", "ROTTERDAM", "GRONINGEN"}, "Deltaveld Techniek BV", "Woonstichting De Zwaluw", "Belastingkantoor Voorbeeld", "Kinderbijslag Voorbeeld"},
	"BE": {[]string{"GENT", "ANTWERPEN", "LEUVEN", "BRUGGE"}, "Scheldekraan Logistiek NV", "Vastgoed Meerhof BV", "Belastingkantoor Voorbeeld", "Groeipakket Voorbeeld"},
	"IE": {[]string{"DUBLIN", "CORK", "GALWAY", "LIMERICK"}, "Larkfield Systems Ltd", "Hazelbrook Lettings", "Sample Revenue Office", "Sample Child Benefit Office"},
	"PT": {[]string{"LISBOA", "PORTO", "BRAGA", "COIMBRA"}, "Oficinas Montealvo Lda", "Imobiliária Quinta do Rio", "Finanças Exemplo", "Abono de Família Exemplo"},
	"SE": {[]string{"STOCKHOLM", "GOTEBORG", "MALMO", "UPPSALA"}, "Fjällbruk Teknik AB", "Bostadsbolaget Tallbacken", "Skattekontor Exempel", "Barnbidrag Exempel"},
	"LU": {[]string{"LUXEMBOURG", "ESCH", "DIFFERDANGE"}, "Forges du Grünewald SA", "Agence Immobilière Belval", "Contributions Exemple", "Caisse Familiale Exemple"},
}

// abroad is where people use their cards when they travel or buy online.
var abroad = []struct{ city, country, currency string }{
	{"NEW YORK", "US", "USD"}, {"SAN FRANCISCO", "US", "USD"}, {"LONDON", "GB", "GBP"},
	{"EDINBURGH", "GB", "GBP"}, {"ZURICH", "CH", "CHF"},
}

var phrasebooks = map[string]phrasebook{
	"de": {
		card:      "DEBITK. {card} {dm} {time} {BRAND} SAGT DANKE {city}/{cc}",
		atm:       "GA NR0{ref} {city} {dm}/{time}UHR KARTE {card}",
		refund:    "GUTSCHRIFT KARTENZAHLUNG {BRAND} {city}/{cc} {dm} {card}",
		hold:      "VORGEMERKT {BRAND} {city}/{cc} {dm} {card}",
		foreign:   "AUSLANDSEINSATZ {card} {dm} {BRAND} {city}/{cc} {amount} KURS {rate}",
		debit:     "{brand} Vertrag {ref} Abbuchung {month} Vielen Dank",
		salary:    "LOHN/GEHALT {month} PERS.NR. {ref}",
		rent:      "Miete {month} Whg 12 2. OG",
		toSavings: "Umbuchung Sparen {month}",
		back:      "Umbuchung vom Sparkonto",
		cardBill:  "Kreditkartenabrechnung {card} {month}",
		interest:  "Habenzinsen {month}",
		overdraft: "Sollzinsen Dispokredit {month}",
		fee:       "Entgelt Kontofuehrung {month}",
		tax:       "Einkommensteuer-Vorauszahlung {month} St.Nr. {ref}",
		benefit:   "KINDERGELD {month} KG-NR {ref}",
		allowance: "Unterhalt {month} Viele Gruesse von zu Hause",
		invoice:   "Rechnung RE-{ref} Leistungen {month}",
		invest:    "Einzahlung Depot {ref}",
		exchange:  "Devisenverkauf {amount} Kurs {rate}",
		gift:      "Alles Gute zum Geburtstag!",
		moveIn:    "Haushaltskonto {month}",
		childcare: "Betreuungsbeitrag {month} Kind-Nr. {ref}",
		waters:    "Abschlag Wasser/Abwasser {month} Zaehler {ref}",
		current:   "Girokonto", savings: "Tagesgeldkonto", credit: "Kreditkarte", joint: "Gemeinschaftskonto", dollars: "Waehrungskonto USD",
		currentName: "Mein Konto", savingsName: "Rücklagen", creditName: "Karte Gold", jointName: "Haushalt", usd: "Dollar-Konto",
	},
	"en": {
		card:      "POS{dm} {card} {BRAND} {city} {time}",
		atm:       "ATM WDL {city} {dm} {time} REF {ref} {card}",
		refund:    "REFUND {BRAND} {city} {dm} {card}",
		hold:      "AUTH HOLD {BRAND} {city} {dm} {card}",
		foreign:   "POS{dm} {card} {BRAND} {city} {cc} {amount} @ {rate}",
		debit:     "DD {BRAND} {ref} {month}",
		salary:    "SALARY {month} EMP {ref}",
		rent:      "STANDING ORDER RENT {month} FLAT 4B",
		toSavings: "Transfer to savings {month}",
		back:      "Transfer from savings",
		cardBill:  "CREDIT CARD BILL {card} {month}",
		interest:  "CREDIT INTEREST {month}",
		overdraft: "OVERDRAFT INTEREST {month}",
		fee:       "MAINTENANCE FEE {month}",
		tax:       "PRELIMINARY TAX {month} REF {ref}",
		benefit:   "CHILD BENEFIT {month} {ref}",
		allowance: "Monthly allowance {month} love Mum and Dad",
		invoice:   "INV {ref} SERVICES {month}",
		invest:    "BROKERAGE TOP UP {ref}",
		exchange:  "FX SALE {amount} RATE {rate}",
		gift:      "Happy birthday!",
		moveIn:    "Household share {month}",
		childcare: "CHILDCARE FEES {month} {ref}",
		waters:    "WATER CHARGES {month} METER {ref}",
		current:   "Current Account", savings: "Demand Deposit", credit: "Credit Card", joint: "Joint Account", dollars: "US Dollar Account",
		currentName: "Everyday", savingsName: "Rainy day", creditName: "Gold card", jointName: "Household", usd: "Dollars",
	},
	"fr": {
		card:      "PAIEMENT CB {dm} {city} {BRAND} CARTE {card}",
		atm:       "RETRAIT DAB {dm} {time} {city} {ref} CARTE {card}",
		refund:    "AVOIR CB {dm} {BRAND} {city} CARTE {card}",
		hold:      "AUTORISATION CB {dm} {BRAND} {city} CARTE {card}",
		foreign:   "PAIEMENT CB {dm} {city} {cc} {BRAND} {amount} COURS {rate} CARTE {card}",
		debit:     "PRLV SEPA {BRAND} {month} REF {ref}",
		salary:    "VIR SEPA SALAIRE {month} MATRICULE {ref}",
		rent:      "VIR PERMANENT LOYER {month}",
		toSavings: "VIREMENT VERS LIVRET {month}",
		back:      "VIREMENT DEPUIS LIVRET",
		cardBill:  "RELEVE CARTE {card} {month}",
		interest:  "INTERETS CREDITEURS {month}",
		overdraft: "INTERETS DEBITEURS DECOUVERT {month}",
		fee:       "COTISATION TENUE DE COMPTE {month}",
		tax:       "PRLV IMPOT ACOMPTE {month} REF {ref}",
		benefit:   "ALLOCATIONS FAMILIALES {month} {ref}",
		allowance: "Argent de poche {month} bises",
		invoice:   "FACTURE {ref} PRESTATIONS {month}",
		invest:    "VERSEMENT COMPTE TITRES {ref}",
		exchange:  "CESSION DEVISES {amount} COURS {rate}",
		gift:      "Joyeux anniversaire !",
		moveIn:    "PARTICIPATION MENAGE {month}",
		childcare: "CRECHE {month} DOSSIER {ref}",
		waters:    "EAU ASSAINISSEMENT {month} COMPTEUR {ref}",
		current:   "Compte courant", savings: "Livret", credit: "Carte de crédit", joint: "Compte joint", dollars: "Compte en dollars",
		currentName: "Compte principal", savingsName: "Épargne", creditName: "Carte Or", jointName: "Ménage", usd: "Dollars",
	},
	"es": {
		card:      "COMPRA TARJ. {card} {BRAND}-{city} {dm}",
		atm:       "REINTEGRO CAJERO {city} {dm} {time} {card} {ref}",
		refund:    "DEVOLUCION COMPRA {BRAND} {city} {dm} {card}",
		hold:      "RETENCION {BRAND} {city} {dm} {card}",
		foreign:   "COMPRA TARJ. {card} {BRAND} {city} {cc} {amount} CAMBIO {rate}",
		debit:     "RECIBO {BRAND} {month} REF. {ref}",
		salary:    "NOMINA {month} EMPLEADO {ref}",
		rent:      "TRANSF. PERIODICA ALQUILER {month}",
		toSavings: "Traspaso a ahorro {month}",
		back:      "Traspaso desde ahorro",
		cardBill:  "LIQUIDACION TARJETA {card} {month}",
		interest:  "ABONO INTERESES {month}",
		overdraft: "INTERESES DESCUBIERTO {month}",
		fee:       "COMISION MANTENIMIENTO {month}",
		tax:       "PAGO FRACCIONADO IRPF {month} REF {ref}",
		benefit:   "AYUDA FAMILIAR {month} {ref}",
		allowance: "Paga mensual {month} besos",
		invoice:   "FACTURA {ref} SERVICIOS {month}",
		invest:    "APORTACION VALORES {ref}",
		exchange:  "VENTA DIVISA {amount} CAMBIO {rate}",
		gift:      "¡Feliz cumpleaños!",
		moveIn:    "GASTOS CASA {month}",
		childcare: "GUARDERIA {month} EXP {ref}",
		waters:    "RECIBO AGUA {month} CONTADOR {ref}",
		current:   "Cuenta corriente", savings: "Cuenta de ahorro", credit: "Tarjeta de crédito", joint: "Cuenta conjunta", dollars: "Cuenta en dólares",
		currentName: "Mi cuenta", savingsName: "Ahorros", creditName: "Tarjeta Oro", jointName: "Casa", usd: "Dólares",
	},
	"it": {
		card:      "PAGAMENTO POS {dm} {time} {BRAND} {city} CARTA {card}",
		atm:       "PRELIEVO BANCOMAT {city} {dm} {time} CARTA {card} {ref}",
		refund:    "STORNO POS {BRAND} {city} {dm} CARTA {card}",
		hold:      "PREAUTORIZZAZIONE {BRAND} {city} {dm} CARTA {card}",
		foreign:   "PAGAMENTO ESTERO {dm} {BRAND} {city} {cc} {amount} CAMBIO {rate} CARTA {card}",
		debit:     "ADDEBITO SDD {BRAND} {month} RIF. {ref}",
		salary:    "STIPENDIO {month} MATR. {ref}",
		rent:      "BONIFICO PERIODICO AFFITTO {month}",
		toSavings: "Giroconto risparmio {month}",
		back:      "Giroconto da risparmio",
		cardBill:  "ESTRATTO CONTO CARTA {card} {month}",
		interest:  "COMPETENZE A CREDITO {month}",
		overdraft: "INTERESSI PASSIVI FIDO {month}",
		fee:       "CANONE CONTO {month}",
		tax:       "ACCONTO IMPOSTE {month} RIF {ref}",
		benefit:   "ASSEGNO UNICO {month} {ref}",
		allowance: "Paghetta {month} un abbraccio",
		invoice:   "FATTURA {ref} PRESTAZIONI {month}",
		invest:    "VERSAMENTO DEPOSITO TITOLI {ref}",
		exchange:  "VENDITA VALUTA {amount} CAMBIO {rate}",
		gift:      "Buon compleanno!",
		moveIn:    "SPESE DI CASA {month}",
		childcare: "RETTA NIDO {month} PRATICA {ref}",
		waters:    "BOLLETTA ACQUA {month} CONTATORE {ref}",
		current:   "Conto corrente", savings: "Conto deposito", credit: "Carta di credito", joint: "Conto cointestato", dollars: "Conto in dollari",
		currentName: "Il mio conto", savingsName: "Risparmi", creditName: "Carta Oro", jointName: "Famiglia", usd: "Dollari",
	},
}
