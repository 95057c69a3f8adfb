package deadline

// Official collections of law.
const (
	gesetze    = "https://www.gesetze-im-internet.de/"
	ris        = "https://www.ris.bka.gv.at/GeltendeFassung.wxe?Abfrage=Bundesnormen&Gesetzesnummer="
	fedlex     = "https://www.fedlex.admin.ch/eli/cc/"
	legifrance = "https://www.legifrance.gouv.fr/codes/id/"
	normattiva = "https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:"
	boe        = "https://www.boe.es/buscar/act.php?id="
	justel     = "https://www.ejustice.just.fgov.be/eli/loi/"
	isap       = "https://isap.sejm.gov.pl/isap.nsf/DocDetails.xsp?id="

	codeConsommation = legifrance + "LEGITEXT000006069565/"
	codeAssurances   = legifrance + "LEGITEXT000006073984/"
)

// statutes returns all statutes that are known. A rule that is not certain is left out.
func statutes() []Statute {
	var all []Statute
	for _, country := range [][]Statute{
		german(), austrian(), swiss(), french(), italian(), spanish(), dutch(), belgian(), polish(), swedish(),
	} {
		all = append(all, country...)
	}
	return all
}

// standardTerms are the sectors whose contracts the German and Dutch rules for standard
// terms cover.
func standardTerms() []Sector {
	return []Sector{Telecom, Television, Energy, Goods, Services}
}

func propertyInsurance() []Sector { return []Sector{Insurance, MotorInsurance, HomeInsurance} }

func allInsurance() []Sector { return append(propertyInsurance(), HealthInsurance) }

func german() []Statute {
	covered := append(standardTerms(), Press)
	oneMonthAnyTime := Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P1M", AtMost: true}
	return []Statute{
		{
			ID: "de-bgb-309-9", Country: "DE", Citation: "§ 309 Nr. 9 BGB", URL: gesetze + "bgb/__309.html",
			Sectors: covered, ConsumersOnly: true, ConcludedFrom: "2022-03-01", Condition: HasFirstTerm,
			MaxMinimum: "P2Y", MaxNotice: "P1M", Exit: oneMonthAnyTime,
		},
		{
			ID: "de-bgb-309-9-until-2022", Country: "DE",
			Citation: "§ 309 Nr. 9 BGB in the version until 2022-02-28 (Art. 229 § 60 EGBGB)", URL: gesetze + "bgbeg/",
			Sectors: covered, ConsumersOnly: true, ConcludedUntil: "2022-02-28", Condition: HasFirstTerm,
			MaxMinimum: "P2Y", MaxNotice: "P3M", MaxRenewal: "P1Y",
		},
		{
			ID: "de-bgb-309-13", Country: "DE", Citation: "§ 309 Nr. 13 BGB", URL: gesetze + "bgb/__309.html",
			Sectors: covered, ConsumersOnly: true, ConcludedFrom: "2016-10-01", Condition: WrittenForm, Note: noteTextForm,
		},
		{
			ID: "de-tkg-56-1", Country: "DE", Citation: "§ 56 Abs. 1 TKG", URL: gesetze + "tkg_2021/__56.html",
			Sectors: []Sector{Telecom}, ConsumersOnly: true, InForceFrom: "2021-12-01", MaxMinimum: "P2Y",
		},
		{
			ID: "de-tkg-56-3", Country: "DE", Citation: "§ 56 Abs. 3 TKG", URL: gesetze + "tkg_2021/__56.html",
			Sectors: []Sector{Telecom}, InForceFrom: "2021-12-01", Condition: HasFirstTerm,
			Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P1M"},
		},
		{
			ID: "de-vvg-11", Country: "DE", Citation: "§ 11 Abs. 1, 3 VVG", URL: gesetze + "vvg_2008/__11.html",
			Sectors: propertyInsurance(), MaxNotice: "P3M", MaxRenewal: "P1Y",
		},
		{
			ID: "de-vvg-11-4", Country: "DE", Citation: "§ 11 Abs. 4 VVG", URL: gesetze + "vvg_2008/__11.html",
			Sectors: propertyInsurance(), Condition: FirstTermOver, Over: "P3Y",
			Exit: Exit{From: AfterTime, After: "P3Y", EndOf: EndOfContractYear, Notice: "P3M"},
		},
		{
			ID: "de-pflvg-5a", Country: "DE", Citation: "§ 5a Abs. 1 PflVG", URL: gesetze + "pflvg/__5a.html",
			Sectors: []Sector{MotorInsurance}, MaxNotice: "P1M",
		},
		{
			ID: "de-stromgvv-20", Country: "DE", Citation: "§ 20 Abs. 1 StromGVV, § 20 Abs. 1 GasGVV",
			URL:     gesetze + "stromgvv/__20.html",
			Sectors: []Sector{EnergyBasicSupply}, Exit: Exit{EndOf: EndOfDay, Notice: "P2W"},
		},
		{
			ID: "de-bgb-39", Country: "DE", Citation: "§ 39 Abs. 2 BGB", URL: gesetze + "bgb/__39.html",
			Sectors: []Sector{Association}, Exit: Exit{EndOf: EndOfDay, Notice: "P2Y"},
		},
	}
}

func austrian() []Statute {
	return []Statute{
		{
			ID: "at-kschg-15", Country: "AT", Citation: "§ 15 Abs. 1 KSchG", URL: ris + "10002462",
			Sectors:       []Sector{Energy, EnergyBasicSupply, Goods, Press},
			ConsumersOnly: true, Condition: OpenOrFirstTermOver, Over: "P1Y",
			Exit: Exit{From: AfterTime, After: "P1Y", EndOf: EndOfContractHalfYear, Notice: "P2M"},
		},
		{
			ID: "at-tkg-135", Country: "AT", Citation: "§ 135 Abs. 1, 5 TKG 2021", URL: ris + "20011678",
			Sectors: []Sector{Telecom}, ConsumersOnly: true, ConcludedFrom: "2021-11-01",
			MaxMinimum: "P2Y", MaxNotice: "P1M", Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P1M"},
		},
		{
			ID: "at-tkg-2003-25d", Country: "AT", Citation: "§ 25d Abs. 1, 3 TKG 2003", URL: ris + "20002849",
			Sectors: []Sector{Telecom}, ConsumersOnly: true, ConcludedFrom: "2016-02-26", ConcludedUntil: "2021-10-31",
			MaxMinimum: "P2Y", Exit: Exit{From: AfterFirstTerm, EndOf: EndOfMonth, Notice: "P1M"},
		},
		{
			ID: "at-elwg-24", Country: "AT", Citation: "§ 24 ElWG, § 123 Abs. 1 GWG 2011",
			URL:     "https://www.ris.bka.gv.at/eli/bgbl/I/2025/91",
			Sectors: []Sector{Energy, EnergyBasicSupply}, ConsumersOnly: true, InForceFrom: "2025-12-24",
			MaxMinimum: "P1Y", MaxNotice: "P2W", Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P2W"},
		},
		{
			ID: "at-versvg-8-1", Country: "AT", Citation: "§ 8 Abs. 1 VersVG", URL: ris + "10001979",
			Sectors: propertyInsurance(), MaxRenewal: "P1Y",
		},
		{
			ID: "at-versvg-8-3", Country: "AT", Citation: "§ 8 Abs. 3 VersVG", URL: ris + "10001979",
			Sectors: propertyInsurance(), ConsumersOnly: true, Condition: FirstTermOver, Over: "P3Y",
			Exit: Exit{From: AfterTime, After: "P3Y", EndOf: EndOfContractYear, Notice: "P1M"},
		},
	}
}

func swiss() []Statute {
	return []Statute{
		{
			ID: "ch-vvg-35a", Country: "CH", Citation: "Art. 35a Abs. 1 VVG (SR 221.229.1)",
			URL:     fedlex + "24/719_735_717/de",
			Sectors: propertyInsurance(), InForceFrom: "2022-01-01", Condition: FirstTermOver, Over: "P3Y",
			Exit: Exit{From: AfterTime, After: "P3Y", EndOf: EndOfContractYear, Notice: "P3M"},
		},
		{
			ID: "ch-zgb-70", Country: "CH", Citation: "Art. 70 Abs. 2 ZGB (SR 210)", URL: fedlex + "24/233_245_233/de",
			Sectors: []Sector{Association}, Exit: Exit{EndOf: EndOfCalendarYear, Notice: "P6M"},
		},
	}
}

func french() []Statute {
	afterAYear := Exit{From: AfterTime, After: "P1Y", EndOf: EndOfDay, Notice: "P1M", OnlyOnceOpen: true}
	renewed := Exit{From: AfterFirstTerm, EndOf: EndOfDay, OnlyOnceOpen: true}
	return []Statute{
		{
			ID: "fr-consommation-l215-1", Country: "FR", Citation: "article L215-1 du Code de la consommation",
			URL: codeConsommation, Sectors: []Sector{Telecom, Television, Energy, Services}, ConsumersOnly: true,
			InForceFrom: "2016-07-01", Condition: NotReminded, Exit: renewed,
		},
		{
			ID: "fr-consommation-l215-1-1", Country: "FR", Citation: "article L215-1-1 du Code de la consommation",
			URL: codeConsommation, Sectors: append(standardTerms(), Press), ConsumersOnly: true, InForceFrom: "2023-06-01",
			Note: noteOnline,
		},
		{
			ID: "fr-consommation-l224-14", Country: "FR", Citation: "article L224-14 du Code de la consommation",
			URL: codeConsommation, Sectors: []Sector{Energy, EnergyBasicSupply}, ConsumersOnly: true,
			InForceFrom: "2021-03-05", Exit: Exit{EndOf: EndOfDay},
		},
		{
			ID: "fr-consommation-l224-28", Country: "FR", Citation: "article L224-28 du Code de la consommation",
			URL: codeConsommation, Sectors: []Sector{Telecom}, ConsumersOnly: true, ConcludedFrom: "2023-01-01",
			Condition: FirstTermOver, Over: "P1Y", MaxMinimum: "P2Y", Costs: true,
			Exit: Exit{From: AfterTime, After: "P1Y", EndOf: EndOfDay, Notice: "P10D", AtMost: true, OnlyOnceOpen: true},
		},
		{
			ID: "fr-consommation-l224-40", Country: "FR", Citation: "article L224-40 du Code de la consommation",
			URL: codeConsommation, Sectors: []Sector{Telecom}, ConsumersOnly: true, InForceFrom: "2021-05-28",
			Condition: HasFirstTerm,
			Exit:      Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P10D", AtMost: true, OnlyOnceOpen: true},
		},
		{
			ID: "fr-assurances-l113-12", Country: "FR", Citation: "article L113-12 du Code des assurances",
			URL: codeAssurances, Sectors: propertyInsurance(), ConsumersOnly: true,
			Exit: Exit{From: AfterTime, After: "P1Y", EndOf: EndOfContractYear, Notice: "P2M"},
		},
		{
			ID: "fr-assurances-l113-15-1", Country: "FR", Citation: "article L113-15-1 du Code des assurances",
			URL: codeAssurances, Sectors: allInsurance(), ConsumersOnly: true, Condition: NotReminded, Exit: renewed,
		},
		{
			ID: "fr-assurances-l113-15-2", Country: "FR", Citation: "article L113-15-2 du Code des assurances",
			URL: codeAssurances, Sectors: []Sector{MotorInsurance, HomeInsurance}, ConsumersOnly: true,
			InForceFrom: "2015-01-01", Exit: afterAYear,
		},
		{
			ID: "fr-assurances-l113-15-2-sante", Country: "FR", Citation: "article L113-15-2 du Code des assurances",
			URL: codeAssurances, Sectors: []Sector{HealthInsurance}, ConsumersOnly: true,
			InForceFrom: "2020-12-01", Exit: afterAYear,
		},
	}
}

func italian() []Statute {
	return []Statute{
		{
			ID: "it-dl-7-2007-1", Country: "IT", Citation: "art. 1, comma 3, D.L. 31 gennaio 2007, n. 7",
			URL:     normattiva + "decreto.legge:2007-01-31;7~art1",
			Sectors: []Sector{Telecom, Television}, Exit: Exit{EndOf: EndOfDay, Notice: "P30D", AtMost: true}, Costs: true,
		},
		{
			ID: "it-cap-170-bis", Country: "IT", Citation: "art. 170-bis D.Lgs. 7 settembre 2005, n. 209",
			URL:     normattiva + "decreto.legislativo:2005-09-07;209~art170bis",
			Sectors: []Sector{MotorInsurance}, InForceFrom: "2013-01-01", NoRenewal: true,
		},
		{
			ID: "it-cc-1899", Country: "IT", Citation: "art. 1899 c.c.",
			URL:     normattiva + "regio.decreto:1942-03-16;262:2~art1899",
			Sectors: []Sector{Insurance, HomeInsurance}, MaxRenewal: "P2Y",
		},
		{
			ID: "it-cc-1899-quinquennio", Country: "IT", Citation: "art. 1899, primo comma, c.c.",
			URL:     normattiva + "regio.decreto:1942-03-16;262:2~art1899",
			Sectors: []Sector{Insurance, HomeInsurance}, ConcludedFrom: "2009-08-16", Condition: FirstTermOver, Over: "P5Y",
			Exit: Exit{From: AfterTime, After: "P6Y", EndOf: EndOfContractYear, Notice: "P60D"},
		},
	}
}

func spanish() []Statute {
	return []Statute{
		{
			ID: "es-lgdcu-62", Country: "ES", Citation: "art. 62.3 del Real Decreto Legislativo 1/2007",
			URL: boe + "BOE-A-2007-20555", Sectors: append(standardTerms(), Press), ConsumersOnly: true, Note: noteSameForm,
		},
		{
			ID: "es-lgtel-67", Country: "ES", Citation: "art. 67 de la Ley 11/2022, General de Telecomunicaciones",
			URL: boe + "BOE-A-2022-10757", Sectors: []Sector{Telecom}, ConsumersOnly: true, InForceFrom: "2022-06-30",
			Condition: HasFirstTerm, MaxMinimum: "P2Y",
			Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P1M", AtMost: true},
		},
		{
			ID: "es-rd-899-2009-7", Country: "ES", Citation: "art. 7 del Real Decreto 899/2009",
			URL: boe + "BOE-A-2009-8961", Sectors: []Sector{Telecom},
			Exit: Exit{EndOf: EndOfDay, Notice: "P2WD"}, Costs: true,
		},
		{
			ID: "es-lcs-22", Country: "ES", Citation: "art. 22 de la Ley 50/1980, de Contrato de Seguro",
			URL: boe + "BOE-A-1980-22501", Sectors: allInsurance(), InForceFrom: "2016-01-01",
			MaxNotice: "P1M", MaxRenewal: "P1Y",
		},
	}
}

func dutch() []Statute {
	return []Statute{{
		ID: "nl-bw-6-236-j", Country: "NL", Citation: "artikel 6:236, aanhef en onder j, BW",
		URL: "https://wetten.overheid.nl/BWBR0005289/", Sectors: standardTerms(), ConsumersOnly: true,
		InForceFrom: "2011-12-01", Condition: HasFirstTerm,
		Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P1M", AtMost: true},
	}}
}

func belgian() []Statute {
	return []Statute{
		{
			ID: "be-wer-vi-91", Country: "BE", Citation: "art. VI.91 WER / CDE", URL: justel + "2013/02/28/2013A11134/justel",
			Sectors: []Sector{Services, Television}, ConsumersOnly: true, InForceFrom: "2014-05-31", Condition: HasFirstTerm,
			Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, Notice: "P2M", AtMost: true, OnlyOnceOpen: true},
		},
		{
			ID: "be-telecom-111-3", Country: "BE", Citation: "art. 111/3 wet / loi 13.6.2005",
			URL:     justel + "2005/06/13/2005011238/justel",
			Sectors: []Sector{Telecom}, ConsumersOnly: true, InForceFrom: "2012-10-01", Exit: Exit{EndOf: EndOfDay}, Costs: true,
		},
	}
}

func polish() []Statute {
	return []Statute{
		{
			ID: "pl-oc-28", Country: "PL",
			Citation: "art. 28 ust. 1 ustawy z dnia 22 maja 2003 r. o ubezpieczeniach obowiązkowych",
			URL:      isap + "WDU20031241152", Sectors: []Sector{MotorInsurance}, MaxNotice: "P1D",
		},
		{
			ID: "pl-energetyczne-4j", Country: "PL", Citation: "art. 4j ust. 3, 4 Prawa energetycznego",
			URL: isap + "WDU19970540348", Sectors: []Sector{Energy, EnergyBasicSupply}, ConsumersOnly: true,
			Condition: RunsOpen, Exit: Exit{From: AfterFirstTerm, EndOf: EndOfMonth, Notice: "P1M"},
		},
	}
}

func swedish() []Statute {
	return []Statute{{
		ID: "se-2014-1449", Country: "SE",
		Citation: "3 § lagen (2014:1449) om konsumentskydd vid automatisk avtalsförlängning",
		URL:      "https://rkrattsbaser.gov.se/sfst?bet=2014:1449", Sectors: append(standardTerms(), Press),
		ConsumersOnly: true, InForceFrom: "2015-03-01", Condition: NotReminded, Over: "P3M",
		Exit: Exit{From: AfterFirstTerm, EndOf: EndOfDay, OnlyOnceOpen: true},
	}}
}
