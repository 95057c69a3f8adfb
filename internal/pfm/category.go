package pfm

import (
	_ "embed" // the taxonomy
	"strconv"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/textfold"
)

// Category is a transaction's category: a top-level category (L1) and one of its
// subcategories (L2).
type Category struct {
	ID              int
	Name            string
	SubcategoryID   int
	SubcategoryName string
}

// TopCategory is an L1 category with its subcategories.
type TopCategory struct {
	ID            int           `json:"categoryId"`
	Name          string        `json:"categoryName"`
	Subcategories []Subcategory `json:"subcategories" nullable:"false"`
}

// Subcategory is an L2 category.
type Subcategory struct {
	ID   int    `json:"subcategoryId"`
	Name string `json:"subcategoryName"`
}

// The subcategories that the code names; taxonomyFile has all. Their IDs follow the ID of
// their category. Other is for transactions that fit the category but none of its other
// subcategories.
const (
	HousingRent      = 501
	HousingUtilities = 502
	HousingTelecom   = 503
	HousingHome      = 504
	HousingInsurance = 505
	HousingOther     = 509
	FoodGroceries    = 521
	FoodRestaurants  = 522
	ShoppingClothing = 531
	ShoppingGeneral  = 533
	TransportPublic  = 541
	TransportTaxi    = 542
	TransportFuel    = 543
	TransportParking = 544
	TransportCar     = 545
	TransportOther   = 549
	HealthPharmacy   = 551
	HealthDoctor     = 552
	HealthBeauty     = 553
	HealthOther      = 559
	LeisureTravel    = 561
	LeisureSports    = 562
	LeisureEvents    = 563
	LeisureGambling  = 564
	LeisureCharity   = 565
	LeisureEducation = 566
	LeisureChildren  = 567
	LeisurePets      = 568
	LeisureOther     = 569
	MediaStreaming   = 571
	MediaSoftware    = 573
	MediaPress       = 574
	FinanceFees      = 581
	FinanceLoans     = 582
	FinanceTaxes     = 583
	FinanceSavings   = 584
	FinanceInsurance = 585
	FinanceOther     = 589
	TransferOwn      = 591
	TransferCash     = 592
	TransferPerson   = 593
	TransferOther    = 599
	IncomeSalary     = 601
	IncomeBenefits   = 602
	IncomePension    = 603
	IncomeRefund     = 604
	IncomeInterest   = 605
	IncomeOther      = 609
	UnknownUnknown   = 611
)

// taxonomyFile has the ID and the name of each category, each followed by its subcategories. The last of them is
// the catch-all.
//
//go:embed taxonomy.csv
var taxonomyFile string

// Taxonomy returns all categories, ordered by ID.
func Taxonomy() []TopCategory {
	var all []TopCategory
	for line := range strings.Lines(taxonomyFile) {
		number, name, _ := strings.Cut(strings.TrimSpace(line), ",")
		id, _ := strconv.Atoi(number) // a test reads them
		if id%10 == 0 {
			all = append(all, TopCategory{ID: id, Name: name})
			continue
		}
		top := &all[len(all)-1]
		top.Subcategories = append(top.Subcategories, Subcategory{ID: id, Name: top.Name + "__" + name})
	}
	return all
}

// CategoryOf returns the category with an L2 ID. For an L1 ID it returns the
// catch-all subcategory, which is the last. It returns false if the ID is unknown.
func CategoryOf(id int) (Category, bool) {
	c, ok := categories[id]
	return c, ok
}

// categories holds the categories of Taxonomy by ID.
var categories = func() map[int]Category {
	byID := map[int]Category{}
	for _, t := range Taxonomy() {
		for _, s := range t.Subcategories { // the last one is the catch-all
			byID[s.ID] = Category{t.ID, t.Name, s.ID, s.Name}
			byID[t.ID] = byID[s.ID]
		}
	}
	return byID
}()

// Uncategorised returns the category for transactions whose category is unknown.
func Uncategorised() Category { return categories[UnknownUnknown] }

// CategorySource is how a transaction's category was found.
type CategorySource string

// The sources. The first one that applies wins.
const (
	SourceOverride    CategorySource = "Override"
	SourceOwnTransfer CategorySource = "OwnTransfer"
	SourceBankCode    CategorySource = "BankCode"
	SourceMerchant    CategorySource = "Merchant"
	SourceMCC         CategorySource = "Mcc"
	SourceKeyword     CategorySource = "Keyword"
	SourceNone        CategorySource = "None"
)

// Merchant is the merchant of a transaction; the zero value if unknown.
type Merchant struct{ ID, Name string }

// Reference is an ID with its name, as partners see them.
type Reference struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// OrParty returns the merchant or, if it is unknown, a counterparty. The counterparty's ID is derived
// from its name, so that it is always the same.
func (m Merchant) OrParty(counterparty string) Merchant {
	if m.ID != "" {
		return m
	}
	name := "https://aviso.example/counterparties/" + textfold.Name(counterparty)
	return Merchant{ID: uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String(), Name: counterparty}
}

// Reference returns the merchant as partners see it, or the counterparty if there is only a name.
func (m Merchant) Reference() Reference {
	m = m.OrParty(m.Name)
	return Reference(m)
}

// MerchantID returns the ID of the merchant with a slug (UUIDv5, RFC 9562).
func MerchantID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/merchants/"+slug)).String()
}

// WikidataID returns the ID of the merchant with an entity in Wikidata, such as "Q151954".
func WikidataID(entity string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("http://www.wikidata.org/entity/"+entity)).String()
}
