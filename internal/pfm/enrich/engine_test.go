package enrich_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/bench/budget"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/transaction"
)

func out(note, party, country string) enrich.Input {
	return enrich.Input{
		Transaction: transaction.Transaction{Note: note, Counterparty: party, Amount: money.MustParse("-20.00")},
		CountryCode: country,
	}
}

func in(note, party, country string) enrich.Input {
	i := out(note, party, country)
	i.Amount = money.MustParse("20.00")
	return i
}

func TestPersonNamedLikeABrandIsNotTheBrand(t *testing.T) {
	for _, i := range []enrich.Input{
		out("Danke", "Peter Lidl", "DE"), out("Überweisung", "Familie Aldi", "DE"),
		out("bis bald", "Anna Müller", "DE"), out("VIREMENT POUR MME CLAIRE LECLERC", "", "FR"),
		out("Przelew na telefon", "Jan Żabka", "PL"), out("TRANSFERENCIA", "Carlos Zara", "ES"),
		out("Tikkie Albert Heijn boodschappen", "", "NL"), out("Netflix Anteil", "Julia Weber", "DE"),
	} {
		t.Run(i.Counterparty+" "+i.Note, func(t *testing.T) {
			r := enrich.Enrich(i)
			assert.Equal(t, pfm.TransferPerson, r.Category.SubcategoryID, r.RuleID)
			assert.Empty(t, r.Merchant.Name)
		})
	}
}

func TestCardPaymentToABrandNamedLikeAPersonIsTheBrand(t *testing.T) {
	for note, slug := range map[string]string{
		"KARTENZAHLUNG MUELLER DROGERIE ULM": "mueller-drogerie", "CB HUGO BOSS PARIS 1105 CARTE 1234": "hugo-boss",
		"EDEKA MUELLER SAGT DANKE//BONN/DE": "edeka", "CARTE X1234 11/05 E.LECLERC NANTES": "e-leclerc",
		"BETAALAUTOMAAT DOUGLAS UTRECHT 1105": "douglas",
	} {
		t.Run(note, func(t *testing.T) {
			assert.Equal(t, "merchant:"+slug, enrich.Enrich(out(note, "", "DE")).RuleID)
		})
	}
}

func TestPaymentProvidersAreNeverTheMerchant(t *testing.T) {
	for note, rule := range map[string]string{
		"PAYPAL *SPOTIFY 35314369001 GB":               "merchant:spotify",
		"PP.4412.PP . SPOTIFY Ihr Einkauf bei SPOTIFY": "merchant:spotify", "KLARNA*HM": "merchant:h-m",
		"SUMUP *CAFE LUISE HAMBURG": "keyword:*:cafe", "SQ *THE COFFEE HATCH": "keyword:*:coffee",
		"IZ *BLOMSTERBODEN": "keyword:sv:blomster*", "ZETTLE_*PIZZERIA VESUVIO": "keyword:*:pizzeria",
		"UBER *EATS HELP.UBER.COM": "merchant:uber-eats", "UBER *TRIP HELP.UBER.COM": "merchant:uber",
		"APPLE PAY LIDL SAGT DANKE": "merchant:lidl", "GOOGLE PAY KAUFLAND 4410": "merchant:kaufland",
		"PAYPAL EUROPE SARL ET CIE SCA": "", "KLARNA BANK AB": "", "STRIPE PAYMENTS EUROPE LIMITED": "",
	} {
		t.Run(note, func(t *testing.T) {
			i := out(note, "", "DE")
			i.MerchantCategoryCode = ""
			assert.Equal(t, rule, enrich.Enrich(i).RuleID)
		})
	}
}

func TestFirstSourceWithAResultWins(t *testing.T) {
	all := in("LOHN MAI LIDL MIETE", "Lidl", "DE")
	all.PurposeCode, all.BankTransactionCode, all.MerchantCategoryCode = "PENS", "PMNT-RCDT-SALA", "5411"

	r := enrich.Enrich(all)
	assert.Equal(t, "purpose:PENS", r.RuleID)
	assert.Equal(t, pfm.SourceBankCode, r.Source)

	all.PurposeCode = ""
	assert.Equal(t, "code:PMNT-RCDT-SALA", enrich.Enrich(all).RuleID)

	shop := out("LIDL SAGT DANKE RESTAURANT", "", "DE")
	shop.MerchantCategoryCode = "5812"
	r = enrich.Enrich(shop)
	assert.Equal(t, pfm.SourceMerchant, r.Source)
	assert.Equal(t, pfm.Merchant{ID: pfm.MerchantID("lidl"), Name: "Lidl"}, r.Merchant)

	shop.Note = "RESTAURANT HOTEL POST"
	shop.MerchantCategoryCode = "7011"
	r = enrich.Enrich(shop)
	assert.Equal(t, pfm.SourceMCC, r.Source)
	assert.Equal(t, "mcc:7011", r.RuleID)

	shop.MerchantCategoryCode = ""
	r = enrich.Enrich(shop)
	assert.Equal(t, pfm.SourceKeyword, r.Source)

	shop.Note = "4412 881"
	r = enrich.Enrich(shop)
	assert.Equal(t, pfm.SourceNone, r.Source)
	assert.Equal(t, pfm.Uncategorised(), r.Category)
	assert.Empty(t, r.RuleID)
}

func TestKindOfPaymentBeatsTheNamedParty(t *testing.T) {
	for _, c := range []struct {
		in   enrich.Input
		want int
	}{
		{in("LOHN/GEHALT MAI PERS.NR. 4412", "REWE Markt GmbH", "DE"), pfm.IncomeSalary},
		{out("RETRAIT DAB 11/05 CARREFOUR NANTES", "", "FR"), pfm.TransferCash},
		{in("DIVIDENDE ISIN DE0007100000", "Mercedes-Benz Group AG", "DE"), pfm.IncomeInterest},
		{in("Erstattung Einkommensteuer 2023", "Finanzamt Köln-Mitte", "DE"), pfm.IncomeRefund},
		{out("Einkommensteuer Vorauszahlung", "Finanzamt Köln-Mitte", "DE"), pfm.FinanceTaxes},
		{in("RETOUR 4412", "Zalando SE", "DE"), pfm.ShoppingClothing},
	} {
		t.Run(c.in.Note, func(t *testing.T) {
			r := enrich.Enrich(c.in)
			assert.Equal(t, c.want, r.Category.SubcategoryID, r.RuleID)
		})
	}
}

func TestInsurancePaymentsAreCategorisedByWhatIsInsured(t *testing.T) {
	for note, want := range map[string]int{
		"Hausratversicherung 12345": pfm.HousingInsurance, "Kfz-Versicherung K-AB 123": pfm.TransportCar,
		"Private Krankenversicherung": pfm.HealthDoctor, "Privathaftpflicht 2024": pfm.FinanceInsurance,
		"Lebensversicherung Nr. 441234": pfm.FinanceInsurance,
	} {
		t.Run(note, func(t *testing.T) {
			r := enrich.Enrich(out(note, "Allianz Versicherungs-AG", "DE"))
			assert.Equal(t, want, r.Category.SubcategoryID, r.RuleID)
			assert.Equal(t, pfm.SourceMerchant, r.Source)
		})
	}
}

func TestWeakAliasNeedsOtherEvidence(t *testing.T) {
	const orange = "merchant:orange"
	assert.NotEqual(t, orange, enrich.Enrich(out("jus orange et pain", "Marché Bio", "FR")).RuleID)
	assert.Equal(t, orange, enrich.Enrich(out("PRLV SEPA ORANGE SA-ORANGE", "ORANGE", "FR")).RuleID)

	contradicted := out("ORANGE PARIS 11", "", "FR")
	contradicted.MerchantCategoryCode = "5812"
	assert.Equal(t, "mcc:5812", enrich.Enrich(contradicted).RuleID, "a contradicting code beats a weak alias")
}

func TestSupermarketFillingStationSellsFuel(t *testing.T) {
	i := out("TESCO STORES 4412 DUBLIN", "", "IE")
	assert.Equal(t, pfm.FoodGroceries, enrich.Enrich(i).Category.SubcategoryID)
	i.MerchantCategoryCode = "5542"
	assert.Equal(t, pfm.TransportFuel, enrich.Enrich(i).Category.SubcategoryID)
}

func BenchmarkEnrich(b *testing.B) {
	rows := []enrich.Input{
		out("SVWZ+Miete Juli 2024 Wohnung 12 EREF+NOTPROVIDED", "Hausverwaltung Brandt GmbH", "DE"),
		out("LIDL SAGT DANKE//BERLIN/DE 2024-05-11T18:22 KFN 1 VJ 2512", "LIDL DIENSTLEISTUNG", "DE"),
		out("PAIEMENT CB 1105 PARIS UBER *EATS HELP.UBER.COM CARTE 1234", "", "FR"),
		out("BEA, Betaalpas Albert Heijn 1413,PAS123 NR:K1 11.05.24/18:22 UTRECHT", "", "NL"),
		out("BIZUM A FAVOR DE CARLOS CONCEPTO CENA", "Carlos Romero", "ES"),
		in("WYNAGRODZENIE ZA MAJ 2024", "Fabryka Sp. z o.o.", "PL"), out("4412 8812 REF 99123", "", "SE"),
		out("PAGAMENTO POS 11/05 TRATTORIA DA MARIO ROMA CARTA *1234", "", "IT"),
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		enrich.Enrich(rows[n%len(rows)])
		n++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
	budget.Hold(b, map[string]float64{"finding a category, µs": b.Elapsed().Seconds() * 1e6 / float64(b.N)})
}
