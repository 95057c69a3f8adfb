package enrich

import (
	"strings"

	"aviso/internal/pfm"
)

// merchant is a merchant, and its position in a row.
type merchant struct {
	slug, name string
	category   pfm.Category
	// countries are separated by semicolons. An asterisk means all of them, and online.
	countries string
	// scheme is set on services that send money between people (Swish, Tikkie). They are not the payee, so anything
	// else in the row takes precedence.
	scheme bool
	// brand is set on brands, whose slug may be a Wikidata ID.
	brand bool
	// from and to are its words [from, to) in the row.
	from, to uint8
}

// result returns the result for a payment to a merchant.
func (m *merchant) result() Result {
	return Result{
		Category: m.category, Source: pfm.SourceMerchant, RuleID: "merchant:" + m.slug,
		Merchant: pfm.Merchant{ID: merchantID(m.slug), Name: m.name},
	}
}

// isIn reports whether the merchant is in a country or in all of them.
func (m *merchant) isIn(country string) bool { return strings.Contains(m.countries, country) }

// merchantID returns the ID for a merchant's slug or a brand's Wikidata ID. Slugs have no upper case.
func merchantID(slug string) string {
	if slug[0] == 'Q' {
		return pfm.WikidataID(slug)
	}
	return pfm.MerchantID(slug)
}

// weakAlias is set in the ID of an alias that needs other evidence, because it is short, a person's name or a common
// word. The rest of the ID is the merchant's.
const weakAlias = 1 << 31

// bestMerchant returns the merchant, or the scheme, with the longest alias in the row. It prefers merchants of the
// row's country. It returns false if there is none.
func (e *Engine) bestMerchant(r *row, scheme bool) (merchant, bool) {
	var best merchant
	top := 0
	for i := range r.found {
		match := &r.found[i]
		m, ok := e.merchantAt(match, r)
		if !ok || m.scheme != scheme {
			continue
		}
		score, ok := e.score(r, match, &m)
		if ok && score > top {
			best, top = m, score
			best.from, best.to = match.from, match.to
		}
	}
	return best, top > 0
}

// merchantAt returns the merchant of a match, or its brand in the row's country.
func (e *Engine) merchantAt(found *match, r *row) (merchant, bool) {
	if found.kind == kindBrand {
		return e.brandOf(int(found.id), r)
	}
	if found.kind != kindMerchant {
		return merchant{}, false
	}
	return e.merchants[found.id&^weakAlias], true
}

// The parts of an alias's score, besides the number of its letters.
const (
	scoreStrong  = 1000 // enough evidence by itself
	scoreOwn     = 100  // the merchant is not only a brand
	scoreForeign = -500 // the merchant is in other countries
	scoreBase    = 2000 // keeps every score positive
)

// score returns the score of an alias found in the row. It returns false if the
// alias does not count.
func (e *Engine) score(r *row, found *match, m *merchant) (int, bool) {
	from, to := int(found.from), int(found.to)
	isProvider := r.text.words[from].flags&cueProvider != 0 && to-from == 1
	if (isProvider || r.people) && !m.scheme {
		return 0, false
	}
	agreed := r.mcc.known() && r.mcc.Category.ID == m.category.ID
	home := r.code == "" || m.isIn("*") || m.isIn(r.code) || r.abroad != "" && m.isIn(r.abroad)
	score := scoreBase + int(found.letters)*8
	switch {
	case m.brand || found.id&weakAlias == 0:
		score += scoreStrong
	case !r.supported(from, agreed, home):
		return 0, false
	}
	if !m.brand {
		score += scoreOwn
	}
	if !home {
		score += scoreForeign
		if !m.brand && found.letters < longWord && (!r.namesParty(from) || r.follow(to) > 0) {
			return 0, false // a short name means something else abroad
		}
	}
	return score, true
}

// supported reports whether the row has other evidence for a weak alias.
func (r *row) supported(from int, agreed, home bool) bool {
	if agreed {
		return true
	}
	if r.mcc.known() && !r.mcc.moves || !home {
		return false
	}
	return r.purchase || r.flags&cueApp != 0 || r.namesParty(from)
}

// isLocal reports whether the name belongs to a local business instead of the merchant: "Apotheke im Kaufland",
// "Kwiaciarnia Stokrotka". The sign is a trade before the name, with at most a preposition in between.
func (m *merchant) isLocal(trade *keyword, r *row) bool {
	if m.category.ID == trade.top() || trade.to > m.from ||
		r.text.words[m.from].field != r.text.words[trade.from].field {
		return false
	}
	between := r.text.words[trade.to:m.from]
	return len(between) == 0 || len(between) == 1 && between[0].end-between[0].start <= 3
}

// isBeside reports whether other words than the brand's name give the row's purpose, and the brand is a bank or the
// row is not a purchase.
func (m *merchant) isBeside(word *keyword, r *row) bool {
	return m.brand && (word.to <= m.from || m.to <= word.from) &&
		(m.category.SubcategoryID == pfm.FinanceOther || !r.purchase && m.category.ID != word.top())
}

// refined returns the result for a merchant in this row. For a supermarket, the merchant category code decides
// between food and fuel, or else other words do.
func refined(m *merchant, r *row) Result {
	out := m.result()
	switch id := out.Category.SubcategoryID; {
	case id == pfm.FinanceTaxes && r.sign > 0:
		out.Category = categoryOf(pfm.IncomeRefund)
	case out.Category.ID == topIncome && r.sign < 0:
		// A payment to a pension office is a contribution.
		out.Category = categoryOf(pfm.FinanceTaxes)
	case id == pfm.FoodGroceries || id == pfm.ShoppingGeneral:
		if said := r.mcc.Category.SubcategoryID; said == pfm.TransportFuel || !r.mcc.known() && r.flags&cueFuel != 0 {
			out.Category = categoryOf(pfm.TransportFuel)
		}
	}
	return insured(out, r.flags)
}

// insured categorises a payment to an insurer by the first insured object in the row.
func insured(out Result, flags wordFlags) Result {
	for i, category := range [...]int{
		pfm.HealthDoctor, pfm.TransportCar, pfm.HousingInsurance, pfm.LeisurePets, pfm.LeisureTravel,
	} {
		if out.Category.SubcategoryID == pfm.FinanceInsurance && flags&(insureHealth<<i) != 0 {
			out.Category = categoryOf(category)
		}
	}
	return out
}
