package persona

func employeeLife() []habit {
	return []habit{
		salary("current", 27, 314_000),
		rent("current", 1, 92_000),
		debit("current", "voltessa", 3), debit("current", "quellhafen-wasser", 15, 1, 4, 7, 10),
		debit("current", "telvana", 8), debit("current", "fibrano", 12), debit("current", "sekurana", 2),
		debit("current", "assurelle", 2, 3, 9), debit("current", "fitzentra", 4), debit("current", "nordlicht-kurier", 6),
		debit("current", "hands-for-rivers", 20), debit("current", "forum-morgenrot", 16, 1, 7),
		subscribe("card", "vidorama", 11), subscribe("card", "tonwelle-go", 19), subscribe("card", "cloudberry-notes", 23),
		shop("current", 34, 1_180, 7_450, "kornblume-markt", "verdolina", "pantolino"),
		shop("current", 10, 900, 4_300, "gruenkorb-bio"),
		shop("current", 20, 280, 1_120, "brotmanufaktur-hefe"),
		shop("current", 12, 1_150, 5_800, "trattoria-limoncina", "noodle-harbour", "smoky-tern"),
		shop("current", 16, 310, 940, "cafe-wolkenberg", "falafold"),
		shop("card", 5, 1_900, 13_900, "modavione", "schuhwerk-elf", "bricoluxa"),
		shop("card", 2, 4_900, 32_000, "elektronautik", "moebelmond"),
		shop("current", 4, 550, 3_800, "pharmaleona"), shop("current", 4, 890, 3_200, "buchfink-und-soehne"),
		shop("current", 5, 150, 1_200, "parkoro"),
		shop("card", 2, 2_900, 24_000, "railarco", "aerovanta", "hotel-seebrise"),
		commute(26), online("card", 6), fuel("current", 6), cash("current"),
		travel("card", 3, "noodle-harbour", "shopandria", "hotel-seebrise", "smoky-tern"),
		gift("current", 2),
		cardBill("current"), level("current", 290_000), invest(1_500_000),
		interest("current", 490), interest("savings", 0),
	}
}

func familyLife() []habit {
	return []habit{
		salary("current", 25, 268_000),
		received("joint", "Bruno Weidner", 26, 165_000, "moveIn", ""),
		share("current", "joint", 27, 150_000),
		received("joint", "benefit office", 10, 50_000, "benefit", "SSBE"),
		rent("joint", 1, 138_000),
		debit("joint", "stromhain", 3), debit("joint", "quellhafen-wasser", 15), debit("joint", "fibrano", 12),
		debit("joint", "little-otters", 5), debit("joint", "assurelle", 2), debit("joint", "kinopolar", 9),
		debit("current", "mobilunox", 8), debit("current", "kraftraum-nord", 4),
		shop("joint", 58, 1_900, 9_800, "kornblume-markt", "verdolina", "basket-and-thyme", "pantolino"),
		shop("joint", 24, 420, 1_900, "brotmanufaktur-hefe"),
		shop("joint", 7, 2_900, 8_800, "trattoria-limoncina", "gabelflitz"),
		shop("joint", 8, 690, 4_400, "pharmaleona"),
		shop("joint", 5, 1_900, 18_000, "modavione", "schuhwerk-elf", "moebelmond", "bricoluxa"),
		shop("current", 18, 280, 1_600, "cafe-wolkenberg", "falafold", "buchfink-und-soehne"),
		commute(30), fuel("joint", 9), cash("joint"), online("joint", 6),
		level("joint", 80_000), level("current", 60_000), invest(2_000_000),
		interest("joint", 690), interest("savings", 0),
	}
}

func studentLife() []habit {
	return []habit{
		received("current", "Hanne Brandt", 2, 40_000, "allowance", ""),
		salary("current", 15, 53_800),
		rent("current", 3, 34_000),
		debit("current", "mobilunox", 8), debit("current", "kraftraum-nord", 4),
		subscribe("current", "tonwelle-go", 19), subscribe("current", "gamevault-nine", 21),
		shop("current", 40, 480, 2_950, "pantolino", "verdolina"),
		shop("current", 26, 350, 1_450, "falafold", "cafe-wolkenberg", "noodle-harbour"),
		shop("current", 9, 900, 3_100, "gabelflitz", "smoky-tern"),
		shop("current", 5, 900, 6_500, "modavione", "buchfink-und-soehne", "gamevault-nine"),
		flush("current", 45_000, shop("current", 12, 4_900, 24_000, "elektronautik", "railarco")),
		commute(18), online("current", 4), cash("current"), gift("current", 3),
		interest("current", 0),
	}
}

func freelancerLife() []habit {
	return []habit{
		invoices("current", "dollars"), sellDollars("dollars", "current"),
		rent("current", 1, 118_000), tax("current", 240_000),
		debit("current", "voltessa", 3), debit("current", "telvana", 8), debit("current", "fibrano", 12),
		debit("current", "assurelle", 2), debit("current", "sekurana", 2),
		subscribe("card", "pixelkiln", 7), subscribe("card", "cloudberry-notes", 17), subscribe("card", "tidewater-post", 24),
		shop("current", 28, 1_400, 7_900, "basket-and-thyme", "gruenkorb-bio", "verdolina"),
		shop("current", 22, 320, 1_250, "cafe-wolkenberg", "brotmanufaktur-hefe"),
		shop("current", 14, 1_400, 7_600, "trattoria-limoncina", "noodle-harbour", "smoky-tern"),
		shop("card", 3, 5_900, 89_000, "elektronautik"),
		shop("card", 6, 2_900, 34_000, "railarco", "aerovanta", "hotel-seebrise"),
		travel("card", 9, "noodle-harbour", "cafe-wolkenberg", "hotel-seebrise", "shopandria"),
		travel("current", 4, "smoky-tern", "railarco"),
		commute(14), online("card", 5), fuel("current", 4), cash("current"),
		cardBill("current"), level("current", 350_000), invest(2_500_000),
		interest("current", 990), interest("savings", 0),
	}
}
