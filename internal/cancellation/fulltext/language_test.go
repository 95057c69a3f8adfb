package fulltext_test

import "aviso/internal/cancellation"

// language has the parts of the names of one country's organizations and products: two
// halves each for towns and family names, trades and other common words, and legal
// forms.
type language struct {
	locale                           cancellation.Locale
	townHeads, townTails             string
	familyHeads, familyTails         string
	trades, legalForms, products, of string
}

func languages() []language {
	return []language{
		{"de-DE", "Alten Brei Burg Dürn Eichen Fürsten Grün Hohen Königs Lüne Mühl Neu Ober Rosen Schön Steinig Wald Weiß Wolfs Zell Asch Birken Düssel Gänse Herzogen Klein Nürn Rhein Sankt Tauber", "bach berg brück burg dorf feld furt hausen heim hof kirchen münde see stadt stein tal thal wald weiler werder büttel lingen ow rode scheid",
			"Bau Berg Böhm Fisch Früh Groß Hart Hof Jäger Kauf Klein König Kraus Lang Müll Neu Rot Schäf Schmid Schnei Schul Schwarz Sonn Vog Wagn Web Weiß Zimmer", "er mann ert ke ler ling hoff meyer bauer inger stein haus",
			"Stadtwerke,Sparkasse,Volksbank,Sportverein,Turnverein,Schützenverein,Energie,Versicherung,Fitnessstudio,Krankenkasse,Verlag,Zeitung,Wohnbau,Wasserwerk,Telefon,Bausparkasse,Gemeindewerke,Musikschule,Autohaus,Kabelnetz", "GmbH,AG,e.V.,eG,GmbH & Co. KG,KG,UG (haftungsbeschränkt),KGaA,", "Mitgliedschaft,Strom Basis,Ökostrom Plus,Erdgas Komfort,Haftpflicht,Hausratversicherung,Girokonto,Jahresabo,Digital-Abo,Handytarif Flex,Internet 100,Probetraining", ""},
		{"en-GB", "Ash Bark Black Brad Bright Chel Clay Dart East Elm Green Hart Kings Lang Maple Nor Oak Ports Red Shef Stan Sund Wake West Whit Wind Wood York", "borough bridge bury by combe ford ham hampton hurst ley mouth pool port stead stone ton well wick worth field",
			"Ander Brook Clark Davi Edward Fletch Gard Harris Hender Jack John Law Mitch Nichol Peter Richard Robin Steven Thomp Walk Water Wil", "son man s er ton ley ell house field wood worth",
			"Energy,Insurance,Building Society,Water,Broadband,Gym,Football Club,Credit Union,Housing Association,Magazine,Mutual,Telecom,Motor Club,Golf Club,Gas,Media,Leisure,Bank,Charity,Church", "Ltd,plc,LLP,Limited,CIC,Trust,Group,", "Membership,Standard Tariff,Green Electricity,Home Insurance,Car Insurance,Current Account,Monthly Subscription,Digital Plus,SIM Only,Fibre 500,Season Ticket,Gift Aid", ""},
		{"fr-FR", "Beau Bel Bourg Champ Château Clair Font Grand Haut Mont Neuf Nou Pré Roche Saint- Val Vieux Ville Étang Évre", "acourt anges bois court ence fort gny ières lieu mont nay neuve père rac ville villiers vray zières çon ôme",
			"Bern Bert Blanch Bouch Chev Cour Du Four Gauth Gir Lam Lef Mar Mer Moul Per Rous Thib", "ard aud eau el er et ier in ois on ot oux",
			"Assurances,Mutuelle,Banque,Énergie,Association sportive,Crédit,Éditions,Télécom,Presse,Gaz,Électricité,Club,Caisse,Fédération,Transports,Eau,Coopérative,Mutualité,Presse,Cinéma", "SA,SARL,SAS,SCOP,EURL,", "Adhésion,Abonnement annuel,Électricité verte,Assurance habitation,Assurance auto,Compte courant,Forfait mobile,Fibre optique,Formule numérique,Carte cinéma", "de"},
		{"es-ES", "Alba Alma Arroyo Barr Campo Cara Casa Cerro Fuente Hino Jara Mira Monte Peña Pozo Río Santa Torre Valle Villa", "banchel bermeja blanca cete clara dero flor franca gordo jos lada longa mar molina nera rroya seca tosa verde zuela ñar",
			"Álva Benít Domíng Fernánd Gonzál Gutiérr Hernánd Jimén Lóp Márqu Martín Núñ Pér Ramír Rodrígu Sánch Suár Vázqu", "ez eros ano al as edo era osa uy",
			"Seguros,Energía,Banco,Caja,Mutua,Club Deportivo,Telefonía,Editorial,Gas,Aguas,Gimnasio,Asociación,Cooperativa,Revista,Luz,Transportes,Sociedad,Peña,Comunicaciones,Ahorro", "S.A.,S.L.,S.Coop.,S.L.U.,", "Cuota de socio,Tarifa plana,Luz verde,Seguro de hogar,Seguro de coche,Cuenta corriente,Suscripción anual,Fibra 600,Móvil ilimitado,Edición digital", "de"},
		{"it-IT", "Acqua Bel Borgo Campo Castel Civita Colle Fior Gros Mira Monte Orto Pietra Ponte Rocca San Torre Val Ville Vico", "bella bianca calvo chiaro duro fiore franco giore grande lata lungo nuova pendente rosso secco tino vecchia verde zano zolo",
			"Bian Bru Cal Conte Espo Fer Gal Gre Lom Man Mar Mor Ric Ros Rus Vit", "ardi ari chi co elli etti ino one ori oni sini zi",
			"Assicurazioni,Energia,Banca,Cassa,Luce,Gas,Palestra,Associazione Sportiva,Editrice,Telefonia,Acquedotto,Cooperativa,Società,Rivista,Mutua,Consorzio,Credito,Trasporti,Circolo,Comunicazioni", "S.p.A.,S.r.l.,S.n.c.,Soc. Coop.,", "Quota associativa,Luce Verde,Gas Casa,Polizza auto,Polizza casa,Conto corrente,Abbonamento annuale,Fibra,Mobile Giga,Edizione digitale", "di"},
		{"nl-NL", "Alk Am Apel Beek Bos Breu Del Dord Eind Gouds Haar Heeren Hoog Kamp Leeu Maas Nij Oud Roo Scha Sne Tiel Veen Wage Zand Zoet", "berg bos brug burg daal dam dijk drecht dorp fort hoven huizen kerk kom lo maar megen meer muiden rode stad veen veld waard warden wijk wolde",
			"Bakk Boss Brou Dekk Hend Jans Kuip Mul Schip Smit Timmer Vis Water Wolt", "er ma man sen stra wer mans huis",
			"Energie,Verzekeringen,Sportvereniging,Voetbalvereniging,Bank,Zorgverzekeraar,Krant,Uitgeverij,Woningbouw,Waterbedrijf,Sportschool,Telecom,Vereniging,Stichting,Coöperatie,Media,Netbeheer,Fonds,Bibliotheek,Loterij", "B.V.,N.V.,U.A.,V.O.F.,", "Lidmaatschap,Groene stroom,Zorgverzekering,Autoverzekering,Inboedelverzekering,Betaalrekening,Jaarabonnement,Internet en tv,Sim Only,Digitaal abonnement", "van"},
		{"pl-PL", "Biało Bia Boro Brze Czarno Częst Dąbro Gór Jasno Kato Krako Łęcz Łom Miko Nowo Ostró Pozn Rzesz Śro Toma Wąbrz Włoc Zielo", "chowa cław czyce dowo góra gród kowice lin łęka mierz nica niec nowo owiec słup stok szów szyn wice zno",
			"Dąbr Gór Jabł Kacz Kamiń Kowal Koz Król Lewand Malin Mazur Nowa Paw Piotr Wiśni Wójc Zając Zieliń", "ak czyk ewski icki ik owicz owska owski ski",
			"Ubezpieczenia,Energia,Bank,Spółdzielnia,Klub Sportowy,Gazeta,Wydawnictwo,Telekomunikacja,Wodociągi,Ciepłownia,Siłownia,Stowarzyszenie,Fundacja,Towarzystwo,Gazownia,Kasa,Przewozy,Sieć,Radio,Związek", "S.A.,sp. z o.o.,sp. j.,", "Członkostwo,Prąd Eko,Ubezpieczenie domu,Ubezpieczenie OC,Konto osobiste,Prenumerata roczna,Internet domowy,Abonament komórkowy,Karnet,Gaz dla domu", ""},
		{"sv-SE", "Ängel Berg Björk Dala Ek Falken Färge Gräs Häll Högan Kram Lind Mör Norr Nykö Öre Skog Sö Stor Troll Udde Väst Åker Åm", "berga boda borg bro by dal fors hamn hult köping lanna ryd sala stad sund torp tuna vik våg ås ö",
			"Ander Berg Björk Ek Eriks Gustav Karl Lind Lund Nils Ny Sand Sjö Söder Wall Åker", "berg blad gren holm kvist man mark qvist ström son sson",
			"Energi,Försäkring,Sparbank,Idrottsförening,Bostad,Fiber,Tidning,Förlag,Fotbollsklubb,Kraft,Gym,Fackförbund,Vatten,Elnät,Förening,Bredband,Hyresgäster,Sällskap,Golfklubb,Bank", "AB,HB,ek. för.,KB,", "Medlemskap,Elavtal Rörligt,Hemförsäkring,Bilförsäkring,Lönekonto,Årsprenumeration,Bredband 250,Mobilabonnemang,Digital prenumeration,Gymkort", ""},
		{"da-DK", "Aal Bræd Es Frede Grå Hade Hel Hol Hor Høj Kol Køge Lyng Mid Næst Od Rand Ring Skan Slag Sønder Thi Tøn Vi Ære Øl", "bjerg borg bro by bæk dal der ense ers fart havn holm høj ingør købing lev lund rup sens skov slev strup sund sted sø toft ved",
			"Ander Chris Han Jen Jør Knud Lar Mad Mik Niel Peder Ras Simon Søren Thom", "sen gaard holm dal bæk lund kjær",
			"Energi,Forsikring,Sparekasse,Idrætsforening,Elforsyning,Fjernvarme,Avis,Forlag,Boldklub,Boligforening,Fitness,Fagforening,Vandværk,Bredbånd,Andelskasse,Pension,Bank,Kraft,Golfklub,Forening", "A/S,ApS,I/S,amba,", "Medlemskab,Grøn strøm,Indboforsikring,Bilforsikring,Lønkonto,Årsabonnement,Fiber 1000,Mobilabonnement,Digital adgang,Træningskort", ""},
		{"cs-CZ", "Bílo Brand Čes Domaž Hora Jablo Klat Krom Lito Mladá Nová Olo Pardu Písk Příbr Rych Sušic Šump Tábo Trut Třebo Úst Vyš Znoj Žďá", "bice brod budějov dec dov dubice ec hora hradec ice iště kov lice měřice mouc nice nov ov ov ovice pole rov tín tov ves",
			"Čern Dvoř Hájk Horá Jelín Krej Kuče Mar Nová Novot Pokor Procház Růžič Svobod Vesel", "ák ček čí ka ková ný ova ová ský",
			"Energie,Pojišťovna,Banka,Spořitelna,Tělovýchovná jednota,Plynárna,Vodárna,Noviny,Nakladatelství,Družstvo,Klub,Spolek,Teplárna,Posilovna,Telekomunikace,Nadace,Doprava,Síť,Záložna,Časopis", "a.s.,s.r.o.,z.s.,v.o.s.,", "Členství,Elektřina Zelená,Pojištění domácnosti,Povinné ručení,Běžný účet,Roční předplatné,Internet doma,Mobilní tarif,Digitální přístup,Permanentka", ""},
	}
}
