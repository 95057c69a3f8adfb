package deadline

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPriceRight(t *testing.T) {
	t.Parallel()
	const may = "By law, a price rise can give the right to end the contract early. It depends on the reason, which the " +
		"debits do not show: a new price, more use, wider cover or an agreed index. "
	unknown := RiseAnswer{
		Answer: RightUnknown,
		Text:   "It is not known whether the law gives the right to end this contract early. The contract may give one.",
	}
	for _, c := range []struct {
		name string
		rise Rise
		want RiseAnswer
	}{
		{
			"phone in Germany", Rise{Country: "DE", Language: "en", Sector: Telecom, Since: "2026-02-12"},
			RiseAnswer{
				Answer: RightYes, Source: "§ 57 Abs. 1 TKG, https://www.gesetze-im-internet.de/tkg_2021/__57.html",
				Missing: []string{MissingNoticeDate},
				Text: "By law, a price rise that the organization decides on gives the right to end the contract early. " +
					"The cancellation must arrive within 3 months after the organization announced the rise.",
			},
		},
		{
			// Three months after 30 November is the last of February.
			"phone in Germany with the notice",
			Rise{Country: "DE", Language: "de", Sector: Telecom, Since: "2026-02-12", NoticeDate: "2025-11-30"},
			RiseAnswer{
				Answer: RightYes, Source: "§ 57 Abs. 1 TKG, https://www.gesetze-im-internet.de/tkg_2021/__57.html",
				LastDay: "2026-02-28",
				Text: "Nach dem Gesetz kann der Vertrag vorzeitig gekündigt werden, wenn der Anbieter von sich aus den Preis " +
					"erhöht. Die Kündigung muss spätestens am 28.02.2026 eingehen.",
			},
		},
		{"before the law", Rise{Country: "DE", Language: "en", Sector: Telecom, Since: "2021-11-30"}, unknown},
		{
			"energy in Germany", Rise{Country: "DE", Language: "en", Sector: "Energy", Since: "2026-02-03", NoticeDate: "2026-01-01"},
			RiseAnswer{
				Answer: RightUnknown, Source: "§ 41 Abs. 5 EnWG, https://www.gesetze-im-internet.de/enwg_2005/__41.html",
				Missing: []string{MissingReason, MissingEffectDate},
				Text:    may + "The cancellation must arrive before the new price takes effect.",
			},
		},
		{
			// Sixty days after 1 January.
			"phone in Italy", Rise{Country: "IT", Language: "en", Sector: Telecom, Since: "2026-02-12", NoticeDate: "2026-01-01"},
			RiseAnswer{
				Answer: RightYes, LastDay: "2026-03-02",
				Source: "art. 98-septies decies, comma 5, D.Lgs. 1° agosto 2003, n. 259, " +
					"https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:decreto.legislativo:2003-08-01;259~art98septiesdecies",
				Text: "By law, a price rise that the organization decides on gives the right to end the contract early. " +
					"The cancellation must arrive by 2 March 2026.",
			},
		},
		{
			"phone in the Netherlands", Rise{Country: "NL", Language: "en", Sector: Telecom, Since: "2026-02-12"},
			RiseAnswer{
				Answer: RightUnknown, Source: "artikel 7.2 Telecommunicatiewet, https://wetten.overheid.nl/BWBR0009950/",
				Missing: []string{MissingReason}, Text: may + "The statute says for how long.",
			},
		},
		{
			"phone in Belgium with the notice",
			Rise{Country: "BE", Language: "en", Sector: Telecom, Since: "2026-02-12", NoticeDate: "2025-12-01"},
			RiseAnswer{
				Answer: RightUnknown, LastDay: "2026-03-01", Missing: []string{MissingReason},
				Source: "art. 108 § 4 wet / loi 13.6.2005 (WEC / LCE), " +
					"https://www.ejustice.just.fgov.be/eli/loi/2005/06/13/2005011238/justel",
				Text: may + "The cancellation must arrive by 1 March 2026.",
			},
		},
		{
			// The period was another one before 10 January 2022.
			"phone in Belgium before the law", Rise{Country: "BE", Language: "en", Sector: Telecom, Since: "2022-01-09"}, unknown,
		},
		{
			// One month after 31 January is the last of February.
			"phone in Spain with the notice",
			Rise{Country: "ES", Language: "en", Sector: Telecom, Since: "2026-03-02", NoticeDate: "2026-01-31"},
			RiseAnswer{
				Answer: RightYes, LastDay: "2026-02-28",
				Source: "art. 67.8 de la Ley 11/2022, General de Telecomunicaciones, " +
					"https://www.boe.es/buscar/act.php?id=BOE-A-2022-10757",
				Text: "By law, a price rise that the organization decides on gives the right to end the contract early. " +
					"The cancellation must arrive by 28 February 2026.",
			},
		},
		{
			"phone in Sweden", Rise{Country: "SE", Language: "en", Sector: Telecom, Since: "2026-02-12"},
			RiseAnswer{
				Answer: RightYes, Missing: []string{MissingNoticeDate},
				Source: "7 kap. 12 § lagen (2022:482) om elektronisk kommunikation, https://rkrattsbaser.gov.se/sfst?bet=2022:482",
				Text: "By law, a price rise that the organization decides on gives the right to end the contract early. " +
					"The cancellation must arrive within 3 months after the organization announced the rise.",
			},
		},
		{
			"phone in Poland", Rise{Country: "PL", Language: "en", Sector: Telecom, Since: "2026-02-12"},
			RiseAnswer{
				Answer: RightUnknown, Missing: []string{MissingReason, MissingEffectDate},
				Source: "art. 307 i 308 ustawy z dnia 12 lipca 2024 r. Prawo komunikacji elektronicznej, " +
					"https://isap.sejm.gov.pl/isap.nsf/DocDetails.xsp?id=WDU20240001221",
				Text: may + "The cancellation must arrive before the new price takes effect.",
			},
		},
		{
			// The law has no rule, but the ombudsman and lawyers see a right.
			"phone in Switzerland", Rise{Country: "CH", Language: "en", Sector: Telecom, Since: "2026-02-12"}, unknown,
		},
		{
			// One month before the end of the month before. A lower premium gives the right, too.
			"health in Switzerland", Rise{Country: "CH", Language: "en", Sector: "StatutoryHealth", Since: "2026-01-05", Fell: true},
			RiseAnswer{
				Answer: RightYes,
				Source: "Art. 7 Abs. 2 KVG (SR 832.10), https://www.fedlex.admin.ch/eli/cc/1995/1328_1328_1328/de",
				Text: "By law, each new price gives the right to end the contract early, even if it is lower or the same. " +
					"The statute says for how long.",
			},
		},
		{
			// Until the end of the month of the rise.
			"a statutory fund in Germany", Rise{Country: "DE", Language: "en", Sector: "StatutoryHealth", Since: "2028-02-15"},
			RiseAnswer{
				Answer: RightUnknown, LastDay: "2028-02-29", Missing: []string{MissingReason},
				Source: "§ 175 Abs. 4 Satz 6 SGB V, https://www.gesetze-im-internet.de/sgb_5/__175.html",
				Text:   may + "The cancellation must arrive by 29 February 2028.",
			},
		},
		{"a fall", Rise{Country: "DE", Language: "en", Sector: Telecom, Since: "2026-02-12", Fell: true},
			RiseAnswer{Answer: RightNo, Text: "The price fell. That gives no right to end the contract early."}},
		{"an unknown product", Rise{Country: "DE", Since: "2026-02-12"},
			RiseAnswer{Answer: RightUnknown, Missing: []string{MissingProduct}, Text: unknown.Text}},
		{"streaming in Germany", Rise{Country: "DE", Language: "en", Sector: "Services", Since: "2026-02-12"}, unknown},
	} {
		got := PriceRight(c.rise)
		got.Reason = Reason{} // TestEveryPriceRightHasAReason
		assert.Equal(t, c.want, got, c.name)
	}
}

func TestEveryPriceRightIsSaidInEveryLanguage(t *testing.T) {
	t.Parallel()
	eachLaw(t, func(country string, l law) {
		for _, r := range l.PriceRights {
			for _, language := range languages() {
				for _, notice := range []Date{"", "2026-01-31"} {
					a := PriceRight(Rise{
						Country: country, Language: language, Sector: r.Sectors[0],
						Since: max(r.InForce.From, "2026-02-12"), NoticeDate: notice,
					})
					assert.Equal(t, r.Answer, a.Answer, r.ID)
					assert.NotContains(t, a.Text, "{", "%s in %s", r.ID, language)
					dated := r.Counts.From == riseMonth || r.Counts.For != "" && notice != ""
					assert.Equal(t, dated, a.LastDay != "", r.ID)
				}
			}
		}
	})
}

// Until when, by the sources in the law's files.
func TestPriceRightsLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		country string
		sector  Sector
		notice  Date
		last    Date
	}{
		{"DE", "Rental", "2027-03-17", "2027-05-31"}, // haufe.de: until 31 May, for the end of July
		{"DE", "Rental", "2026-12-01", "2027-02-28"},
		{"DE", "Rental", "2026-12-31", "2027-02-28"},
		{"DE", "Rental", "2027-12-15", "2028-02-29"},
		{"AT", "MotorInsurance", "2026-11-30", "2026-12-30"}, // KHVG 14a: within a month of the notice
		{"AT", "MotorInsurance", "2027-01-31", "2027-02-28"},
		{"CZ", HomeInsurance, "2026-11-30", "2026-12-30"}, // Civil code 2786: within a month of knowing
		{"CZ", "MotorInsurance", "2027-01-31", "2027-02-28"},
		{"CZ", "HealthInsurance", "2026-12-15", "2027-01-15"},
	} {
		a := PriceRight(Rise{Country: c.country, Sector: c.sector, Since: "2027-06-01", NoticeDate: c.notice, Language: "en"})
		assert.Equal(t, c.last, a.LastDay, "%s %s %s", c.country, c.sector, c.notice)
		assert.Equal(t, ReasonPriceRise, a.Reason.Kind)
	}
	assert.Empty(t, PriceRight(Rise{Country: "DE", Sector: "Rental", Since: "2027-06-01", Language: "en"}).LastDay)
}
