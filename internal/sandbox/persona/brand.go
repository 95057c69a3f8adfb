package persona

// Sector says what a brand sells.
type Sector string

// The sectors of the fictional economy.
const (
	Groceries     Sector = "Groceries"
	Restaurants   Sector = "Restaurants"
	Delivery      Sector = "Delivery"
	Streaming     Sector = "Streaming"
	Telecom       Sector = "Telecom"
	Energy        Sector = "Energy"
	Water         Sector = "Water"
	Insurance     Sector = "Insurance"
	Fitness       Sector = "Fitness"
	News          Sector = "News"
	PublicTransit Sector = "PublicTransit"
	Travel        Sector = "Travel"
	Fuel          Sector = "Fuel"
	Fashion       Sector = "Fashion"
	Home          Sector = "Home"
	Electronics   Sector = "Electronics"
	Marketplace   Sector = "Marketplace"
	Books         Sector = "Books"
	Pharmacy      Sector = "Pharmacy"
	Software      Sector = "Software"
	Games         Sector = "Games"
	Charity       Sector = "Charity"
	Politics      Sector = "Politics"
	Childcare     Sector = "Childcare"
	Investment    Sector = "Investment"
	Parking       Sector = "Parking"
	Dating        Sector = "Dating"
)

// Brand is an invented company. Its slug is the name by which other parts of
// the service may know it too.
type Brand struct {
	Slug   string
	Name   string
	Sector Sector
	// MCC is the ISO 18245 merchant category code of its card terminals.
	MCC string
	// Price is what a month costs, for brands that are subscribed to.
	Price Cents
}

// Brands lists every brand that can appear on a statement.
func Brands() []Brand {
	return []Brand{
		{"kornblume-markt", "Kornblume Markt", Groceries, "5411", 0},
		{"verdolina", "Verdolina", Groceries, "5411", 0},
		{"basket-and-thyme", "Basket & Thyme", Groceries, "5411", 0},
		{"pantolino", "Pantolino", Groceries, "5411", 0},
		{"gruenkorb-bio", "Grünkorb Bio", Groceries, "5499", 0},
		{"brotmanufaktur-hefe", "Brotmanufaktur Hefe", Groceries, "5462", 0},
		{"trattoria-limoncina", "Trattoria Limoncina", Restaurants, "5812", 0},
		{"noodle-harbour", "Noodle Harbour", Restaurants, "5812", 0},
		{"cafe-wolkenberg", "Café Wolkenberg", Restaurants, "5814", 0},
		{"smoky-tern", "The Smoky Tern", Restaurants, "5813", 0},
		{"falafold", "Falafold", Restaurants, "5814", 0},
		{"gabelflitz", "Gabelflitz", Delivery, "5812", 0},
		{"vidorama", "Vidorama", Streaming, "4899", 1399},
		{"tonwelle-go", "Tonwelle Go", Streaming, "5815", 1099},
		{"kinopolar", "Kinopolar", Streaming, "4899", 899},
		{"telvana", "Telvana", Telecom, "4814", 2499},
		{"mobilunox", "Mobilunox", Telecom, "4814", 1499},
		{"fibrano", "Fibrano", Telecom, "4816", 3995},
		{"voltessa", "Voltessa", Energy, "4900", 8600},
		{"stromhain", "Stromhain", Energy, "4900", 6400},
		{"quellhafen-wasser", "Quellhafen Wasser", Water, "4900", 2750},
		{"sekurana", "Sekurana", Insurance, "6300", 1890},
		{"assurelle", "Assurelle", Insurance, "6300", 4210},
		{"fitzentra", "Fitzentra", Fitness, "7997", 3490},
		{"kraftraum-nord", "Kraftraum Nord", Fitness, "7997", 1990},
		{"nordlicht-kurier", "Nordlicht Kurier", News, "5968", 2290},
		{"tidewater-post", "The Tidewater Post", News, "5968", 1200},
		{"citrabus", "Citrabus", PublicTransit, "4111", 0},
		{"railarco", "Railarco", Travel, "4112", 0},
		{"aerovanta", "Aerovanta", Travel, "4511", 0},
		{"hotel-seebrise", "Hotel Seebrise", Travel, "7011", 0},
		{"tankora", "Tankora", Fuel, "5542", 0},
		{"modavione", "Modavione", Fashion, "5651", 0},
		{"schuhwerk-elf", "Schuhwerk Elf", Fashion, "5661", 0},
		{"bricoluxa", "Bricoluxa", Home, "5200", 0},
		{"moebelmond", "Möbelmond", Home, "5712", 0},
		{"elektronautik", "Elektronautik", Electronics, "5732", 0},
		{"shopandria", "Shopandria", Marketplace, "5311", 0},
		{"buchfink-und-soehne", "Buchfink & Söhne", Books, "5942", 0},
		{"pharmaleona", "Pharmaleona", Pharmacy, "5912", 0},
		{"cloudberry-notes", "Cloudberry Notes", Software, "5734", 999},
		{"pixelkiln", "Pixelkiln", Software, "5734", 2399},
		{"gamevault-nine", "Gamevault Nine", Games, "5816", 1299},
		{"hands-for-rivers", "Hands for Rivers", Charity, "8398", 1500},
		{"forum-morgenrot", "Forum Morgenrot", Politics, "8651", 600},
		{"little-otters", "Little Otters Childcare", Childcare, "8351", 31000},
		{"depotanker", "Depotanker", Investment, "6211", 0},
		{"parkoro", "Parkoro", Parking, "7523", 0},
		{"amourelio", "Amourelio", Dating, "7273", 2990},
	}
}
