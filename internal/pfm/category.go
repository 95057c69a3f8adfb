package pfm

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
	ID            int
	Name          string
	Subcategories []Category
}

// The subcategories. Their IDs follow the ID of their category. Other is for
// transactions that fit the category but none of its other subcategories.
const (
	HousingRent      = 501
	HousingUtilities = 502
	HousingTelecom   = 503
	HousingHome      = 504
	HousingInsurance = 505
	HousingOther     = 509
	FoodGroceries    = 521
	FoodRestaurants  = 522
	FoodFastFood     = 523
	FoodBars         = 524
	FoodOther        = 529
	ShoppingClothing = 531
	ShoppingElectro  = 532
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
	LeisureDonations = 565
	LeisureEducation = 566
	LeisureChildren  = 567
	LeisurePets      = 568
	LeisureOther     = 569
	MediaStreaming   = 571
	MediaGames       = 572
	MediaSoftware    = 573
	MediaPress       = 574
	MediaOther       = 579
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

// Taxonomy returns all categories, ordered by ID.
func Taxonomy() []TopCategory {
	top := func(id int, name string, subs ...Category) TopCategory {
		for i := range subs {
			subs[i].ID, subs[i].Name = id, name
			subs[i].SubcategoryName = name + "__" + subs[i].SubcategoryName
		}
		return TopCategory{ID: id, Name: name, Subcategories: subs}
	}
	sub := func(id int, name string) Category { return Category{SubcategoryID: id, SubcategoryName: name} }
	return []TopCategory{
		top(500, "HOUSING", sub(HousingRent, "Rent"), sub(HousingUtilities, "Utilities"),
			sub(HousingTelecom, "Telecom_and_Internet"), sub(HousingHome, "Home_and_Furniture"),
			sub(HousingInsurance, "Home_Insurance"), sub(HousingOther, "Other")),
		top(520, "FOOD_AND_DRINKS", sub(FoodGroceries, "Groceries"), sub(FoodRestaurants, "Restaurants"),
			sub(FoodFastFood, "Fast_Food"), sub(FoodBars, "Bars"), sub(FoodOther, "Other")),
		top(530, "SHOPPING", sub(ShoppingClothing, "Clothing"), sub(ShoppingElectro, "Electronics"),
			sub(ShoppingGeneral, "General")),
		top(540, "TRANSPORT", sub(TransportPublic, "Public_Transport"), sub(TransportTaxi, "Taxi"),
			sub(TransportFuel, "Fuel"), sub(TransportParking, "Parking_and_Tolls"), sub(TransportCar, "Car"),
			sub(TransportOther, "Other")),
		top(550, "HEALTH_AND_BEAUTY", sub(HealthPharmacy, "Pharmacy"), sub(HealthDoctor, "Doctor_and_Insurance"),
			sub(HealthBeauty, "Beauty"), sub(HealthOther, "Other")),
		top(560, "LIFE_AND_LEISURE", sub(LeisureTravel, "Travel"), sub(LeisureSports, "Sports"),
			sub(LeisureEvents, "Events"), sub(LeisureGambling, "Gambling"), sub(LeisureDonations, "Donations"),
			sub(LeisureEducation, "Education"), sub(LeisureChildren, "Children"), sub(LeisurePets, "Pets"),
			sub(LeisureOther, "Other")),
		top(570, "MEDIA", sub(MediaStreaming, "Streaming"), sub(MediaGames, "Games"), sub(MediaSoftware, "Software"),
			sub(MediaPress, "Press"), sub(MediaOther, "Other")),
		top(580, "FINANCE", sub(FinanceFees, "Fees"), sub(FinanceLoans, "Loans"), sub(FinanceTaxes, "Taxes"),
			sub(FinanceSavings, "Savings_and_Investment"), sub(FinanceInsurance, "Insurance"),
			sub(FinanceOther, "Other")),
		top(590, "TRANSFERS", sub(TransferOwn, "Own_Account"), sub(TransferCash, "Cash"),
			sub(TransferPerson, "Person_to_Person"), sub(TransferOther, "Other")),
		top(600, "INCOME", sub(IncomeSalary, "Salary"), sub(IncomeBenefits, "Benefits"), sub(IncomePension, "Pension"),
			sub(IncomeRefund, "Refund"), sub(IncomeInterest, "Interest"), sub(IncomeOther, "Other")),
		top(610, "UNKNOWN", sub(UnknownUnknown, "Unknown")),
	}
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
		byID[t.ID] = t.Subcategories[len(t.Subcategories)-1]
		for _, s := range t.Subcategories {
			byID[s.SubcategoryID] = s
		}
	}
	return byID
}()

// Uncategorised returns the category for transactions whose category is unknown.
func Uncategorised() Category {
	c, _ := CategoryOf(UnknownUnknown)
	return c
}

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
