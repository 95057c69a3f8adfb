package enrich_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// Each line of testdata/cases.txt is a payment of 20.00, and what is found. The columns are: why, country,
// note, counterparty, merchant category code, sign, and the subcategory, rule or source.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "|")
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		t.Run(c[0]+": "+c[2]+" "+c[3], func(t *testing.T) {
			i := out(c[2], c[3], c[1])
			if i.MerchantCategoryCode = c[4]; c[5] == "+" {
				i.Amount = i.Amount.Neg()
			}
			r := enrich.Enrich(i)
			for want := range strings.SplitSeq(c[6], ", ") {
				source, isSource := strings.CutPrefix(want, "by ")
				switch {
				case isSource:
					assert.EqualValues(t, source, r.Source)
				case want == "no merchant":
					assert.Empty(t, r.Merchant.ID)
				case want == "no rule":
					assert.Empty(t, r.RuleID)
				case strings.Contains(want, "__"):
					assert.Equal(t, want, r.Category.SubcategoryName, r.RuleID)
				default:
					assert.Equal(t, want, r.RuleID)
				}
			}
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

func TestWeakAliasNeedsOtherEvidence(t *testing.T) {
	const orange = "merchant:orange"
	assert.NotEqual(t, orange, enrich.Enrich(out("jus orange et pain", "Marché Bio", "FR")).RuleID)
	assert.Equal(t, orange, enrich.Enrich(out("PRLV SEPA ORANGE SA-ORANGE", "ORANGE", "FR")).RuleID)

	contradicted := out("ORANGE PARIS 11", "", "FR")
	contradicted.MerchantCategoryCode = "5812"
	assert.Equal(t, "mcc:5812", enrich.Enrich(contradicted).RuleID, "a contradicting code beats a weak alias")
}

func TestOurMerchantComesBeforeABrandOfItsName(t *testing.T) {
	assert.Equal(t, pfm.HousingTelecom, enrich.Enrich(out("Faktura 4711", "Orange", "SK")).Category.SubcategoryID)
}

func TestACompanyIsNotAPerson(t *testing.T) {
	for name, i := range map[string]enrich.Input{
		"paid by an app": out("Swish betalning BJÖRKEN FINANS AB", "", "SE"), "initials": out("", "E.ON", "CZ"),
	} {
		assert.NotEqual(t, pfm.TransferPerson, enrich.Enrich(i).Category.SubcategoryID, name)
	}
}

func TestSupermarketFillingStationSellsFuel(t *testing.T) {
	i := out("TESCO STORES 4412 DUBLIN", "", "IE")
	assert.Equal(t, pfm.FoodGroceries, enrich.Enrich(i).Category.SubcategoryID)
	i.MerchantCategoryCode = "5542"
	assert.Equal(t, pfm.TransportFuel, enrich.Enrich(i).Category.SubcategoryID)
}

func TestALostLetterAfterTheEndIsNotRead(t *testing.T) {
	r := enrich.Enrich(out(strings.Repeat("Wassergesellschaft ", 60)+"B?cker", "", "DE"))
	assert.NotEmpty(t, r.Category)
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
	enrich.Enrich(rows[0]) // loads the rules, which bench measures as a first row
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		enrich.Enrich(rows[n%len(rows)])
		n++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
	budget.Hold(b, map[string]float64{"finding a category, µs": b.Elapsed().Seconds() * 1e6 / float64(b.N)})
}
