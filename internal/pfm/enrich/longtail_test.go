package enrich_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm"
	"aviso/internal/pfm/enrich"
)

func TestDamagedWordsAreRead(t *testing.T) {
	for _, c := range []struct {
		note, country string
		want          int
	}{
		{"B?CKEREI HINKEL", "DE", pfm.FoodGroceries},
		{"B\ufffdckerei Hinkel", "DE", pfm.FoodGroceries},
		{"BÃ¤ckerei Wimmer MÃ¼nchen", "DE", pfm.FoodGroceries},
		{"FRISÃ¶R ANNIKA", "SE", pfm.HealthBeauty},
		{"?EZNICTV? U MOSTU", "CZ", pfm.FoodGroceries},
		{"APTEKA S?ONECZNA", "PL", pfm.HealthPharmacy},
		{"P?KS?G A SAROKN?L", "HU", pfm.FoodGroceries},
		{"LOEWENAPOTHEKEAMRING", "DE", pfm.HealthPharmacy},
		{"PAGAMENTO POS PASTICCE", "IT", pfm.FoodFastFood},
		{"ΦΑΡΜΑΚΕΊΟ ΑΝΑΓΝΏΣΤΟΥ", "GR", pfm.HealthPharmacy},
		{"?? 8812 ???", "DE", pfm.UnknownUnknown},
		{"APOTHEKERSTRASSE 12", "DE", pfm.UnknownUnknown},
	} {
		t.Run(c.note, func(t *testing.T) {
			r := enrich.Enrich(out(c.note, "", c.country))
			assert.Equal(t, c.want, r.Category.SubcategoryID, r.RuleID)
		})
	}
}

func TestALostLetterAfterTheEndIsNotRead(t *testing.T) {
	r := enrich.Enrich(out(strings.Repeat("Wassergesellschaft ", 60)+"B?cker", "", "DE"))
	assert.NotEmpty(t, r.Category)
}

func TestPersonNamedLikeATradeIsNotTheTrade(t *testing.T) {
	for _, i := range []enrich.Input{
		out("danke", "Herr Bäcker", "DE"), out("wie besprochen", "Koch Sabine", "DE"),
		out("díky", "Pavel Řezník", "CZ"), out("merci pour hier", "M BOULANGER PAUL", "FR"),
		out("grazie", "Marco Ferrari", "IT"), out("pints", "Sean Butcher", "IE"),
		out("etentje", "Katrien Beenhouwer", "BE"), out("uit eten", "M. Jumbo", "NL"),
		out("tartozás", "Lakatos Péter", "HU"), out("bursdag", "Per Slakter", "NO"),
		out("MobilePay Louise Skrædder", "", "DK"), out("Vipps Ola Baker", "", "NO"),
		out("BIZUM JAVIER ZAPATERO CENA", "", "ES"),
	} {
		t.Run(i.Counterparty+" "+i.Note, func(t *testing.T) {
			r := enrich.Enrich(i)
			assert.Equal(t, pfm.TransferPerson, r.Category.SubcategoryID, r.RuleID)
		})
	}
	assert.Equal(t, pfm.HousingRent, enrich.Enrich(out("RENT FLAT 2", "MR T BUTCHER", "GB")).Category.SubcategoryID)
	shop := enrich.Enrich(out("VIPPS BAKERIET PÅ HJØRNET", "", "NO"))
	assert.Equal(t, pfm.FoodGroceries, shop.Category.SubcategoryID, "an app pays shops too")
}

func TestClearNameBeatsWrongMerchantCategoryCode(t *testing.T) {
	for _, c := range []struct {
		note, country, mcc string
		want               int
	}{
		{"METZGEREI HACKL", "DE", "7230", pfm.FoodGroceries},
		{"CB STATION SERVICE DU COL", "FR", "5812", pfm.TransportFuel},
		{"APOTHEEK HET WITTE KRUIS", "NL", "5999", pfm.HealthPharmacy},
		{"LINA UND PAUL", "DE", "5651", pfm.ShoppingClothing},  // says nothing
		{"MUSEUM RESTAURANT", "DE", "7991", pfm.LeisureEvents}, // a word agrees with the code
	} {
		t.Run(c.note, func(t *testing.T) {
			i := out(c.note, "", c.country)
			i.MerchantCategoryCode = c.mcc
			r := enrich.Enrich(i)
			assert.Equal(t, c.want, r.Category.SubcategoryID, r.RuleID)
		})
	}
}

func TestBusinessesNamedAfterAChain(t *testing.T) {
	for _, c := range []struct {
		note, country string
		want          int
	}{
		{"APOTHEKE IM KAUFLAND HALLE", "DE", pfm.HealthPharmacy},
		{"ASDA OPTICIANS", "GB", pfm.HealthOther},
		{"TESCO MOBILE", "HU", pfm.HousingTelecom},
		{"CB VOYAGES E.LECLERC BREST", "FR", pfm.LeisureTravel},
		{"SAINSBURYS PET INSURANCE", "GB", pfm.LeisurePets},
		{"KARTENZAHLUNG KAUFLAND HALLE", "DE", pfm.FoodGroceries},
	} {
		t.Run(c.note, func(t *testing.T) {
			r := enrich.Enrich(out(c.note, "", c.country))
			assert.Equal(t, c.want, r.Category.SubcategoryID, r.RuleID)
		})
	}
}
