package enrich_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm"
	"aviso/internal/pfm/enrich"
)

// branch matches what testdata/brands.csv has after a name: the branch's number and town.
var branch = regexp.MustCompile(` \d{4} [A-Z]+$`)

func TestBrandsAreFoundInEveryFormOfStatements(t *testing.T) {
	ascii := strings.NewReplacer("'", "", "’", "")
	for form, write := range map[string]func(name, line string) (note, payee string){
		"cut after 22 characters": func(_, line string) (string, string) { return "KARTENZAHLUNG", line[:min(22, len(line))] },
		"in lower case":           func(_, line string) (string, string) { return "Kartenzahlung", strings.ToLower(line) },
		"says thanks": func(name, _ string) (string, string) {
			return name + " SAGT DANKE//KOELN/DE 2026-05-11T18:22 KFN 1 VJ 2712", ""
		},
		"by PayPal":           func(name, _ string) (string, string) { return "PAYPAL *" + name + " 35314369001", "" },
		"by SumUp":            func(name, _ string) (string, string) { return "", "SUMUP *" + name },
		"a company":           func(name, _ string) (string, string) { return "Lastschrift Rechnung 4711", name + " GmbH & Co. KG" },
		"after a date":        func(_, line string) (string, string) { return "CARTE 11/05/26 " + line + " CB*1234", "" },
		"without apostrophes": func(_, line string) (string, string) { return "PAGAMENTO POS", ascii.Replace(line) },
		"without hyphens":     func(_, line string) (string, string) { return "CARD PAYMENT", strings.ReplaceAll(line, "-", " ") },
		"with a terminal":     func(name, _ string) (string, string) { return "BEA 11.05.26/18:22", name + " K1244 T00231" },
	} {
		t.Run(form, func(t *testing.T) {
			v := evaluation{file: form, confusions: map[confusion]int{}}
			for _, c := range readSet(t, "testdata/brands.csv") {
				note, payee := write(branch.ReplaceAllString(c.in.Counterparty, ""), c.in.Counterparty)
				in := c.in
				in.Note, in.Counterparty = note, payee
				out := enrich.Enrich(in)
				v.count(c.expected, out.Category.ID)
			}
			t.Logf("coverage %.1f %%, precision %.1f %%", 100*share(v.covered, v.known), 100*share(v.correct, v.assigned))
			assert.GreaterOrEqual(t, share(v.covered, v.known), 0.98)
			assert.GreaterOrEqual(t, share(v.correct, v.assigned), 0.98)
		})
	}
}

// Names of other countries, of people and of things are not brands here.
func TestNamesThatAreNotBrands(t *testing.T) {
	for _, i := range []enrich.Input{
		out("KARTENZAHLUNG 996861", "BILGRO 4697 PARIS", "FR"), out("Danke", "Camp David", "DE"),
		out("Only mit Anna", "", "NL"), out("Casa mit Sofia", "", "BE"),
		out("VIR LOYER + CHARGES", "SCI LES LILAS", "FR"), out("BARNEHAGE MAI", "Kari Fargerike", "NO"),
		out("METZGEREI SOMMER", "", "DE"),
	} {
		t.Run(i.Counterparty+" "+i.Note, func(t *testing.T) {
			assert.Empty(t, enrich.Enrich(i).Merchant.ID)
		})
	}
}

func TestMerchantOfABrandHasTheIDOfItsEntity(t *testing.T) {
	r := enrich.Enrich(out("KARTENZAHLUNG 996861", "BILGRO GMBH 4697//KOELN", "DE"))
	assert.Equal(t, pfm.Merchant{ID: pfm.WikidataID("Q108029888"), Name: "bilgro"}, r.Merchant)
	assert.Equal(t, "026766fb-b899-5176-a82a-9faac139b4da", r.Merchant.ID)
	assert.Equal(t, pfm.FoodGroceries, r.Category.SubcategoryID)
}

func TestANameThatIsCutOffIsTheBrand(t *testing.T) {
	r := enrich.Enrich(out("KARTENZAHLUNG", "JUST OVER THE TO", "BE"))
	assert.Equal(t, "Just Over the Top", r.Merchant.Name)
}

// A bank that is a brand, too, does not hide what is paid to it.
func TestALoanFromABrandIsALoan(t *testing.T) {
	r := enrich.Enrich(out("Lastschrift Kreditrate KD-NR 445501", "TARGOBANK", "DE"))
	assert.Equal(t, pfm.FinanceLoans, r.Category.SubcategoryID)
}
