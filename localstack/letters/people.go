package main

import "aviso/internal/cancellation"

// person is a sender of a country, and what they have where.
type person struct {
	sender                         cancellation.Sender
	recipient                      cancellation.PostalAddress
	product                        string
	customerNumber, contractNumber string
}

func people() map[string]person {
	const phone = "+00 555 010 20 30"
	from := func(name, street, postalCode, city string) cancellation.Sender {
		return cancellation.Sender{
			Name: name, Street: street, PostalCode: postalCode, City: city, Email: "post@mail.example", PhoneNumber: phone,
		}
	}
	to := func(country, street, postalCode, city string, names ...string) cancellation.PostalAddress {
		return cancellation.PostalAddress{
			Recipient: names, Street: street, PostalCode: postalCode, City: city, CountryCode: country,
		}
	}
	return map[string]person{
		"DE": {from("Jörg Müßiggang", "Große Straße 12", "10115", "Berlin"),
			to("DE", "Übungsweg 7", "80331", "München", "Beispielfunk GmbH", "Kundenservice"),
			"Beispielfunk Mobil Plus", "Kundennummer", "Vertragsnummer"},
		"AT": {from("Änne Prückl", "Musterzeile 3/14", "1070", "Wien"),
			to("AT", "Probegasse 9", "8010", "Graz", "Beispielstrom AG", "Kundendienst"),
			"Naturstrom Fix", "Kundennummer", "Vertragskontonummer"},
		"CH": {from("Zoë Grüter", "Musterweg 5", "8004", "Zürich"),
			to("CH", "Rue de l’Exemple 21", "1003", "Lausanne", "Beispielsport SA", "Service clientèle"),
			"Fitness Abo", "No", "Ref."},
		"GB": {from("Siân O’Reilly", "14 Sample Street", "LS1 4AP", "Leeds"),
			to("GB", "1 Example Road", "M1 1AE", "Manchester", "Example Broadband Ltd", "Customer Care"),
			"Fibre 100 Broadband", "customer number", "contract number"},
		"IE": {from("Aoife Ní Bhriain", "3 Sample Quay", "D02 XY45", "Dublin 2"),
			to("IE", "8 Example Street", "T12 AB34", "Cork", "Example Gym Ltd"),
			"Gym membership", "member number", "contract number"},
		"FR": {from("Gaëlle Lefèvre", "8 rue de l’Essai", "69002", "Lyon"),
			to("FR", "25 avenue du Modèle", "75011", "Paris", "Exemple Télécom SA", "Service clients"),
			"Forfait Liberté 50 Go", "numéro client", "numéro de contrat"},
		"BE": {from("Noël De Smet", "Rue du Test 4", "1000", "Bruxelles"),
			to("BE", "Modellaan 11", "2000", "Antwerpen", "Voorbeeld NV"),
			"Internet Plus", "nr.", "ref."},
		"NL": {from("Daniël van IJken", "Voorbeeldgracht 10", "1012 AB", "Amsterdam"),
			to("NL", "Postbus 100", "3500 AC", "Utrecht", "Voorbeeld Energie B.V.", "Klantenservice"),
			"Groene Stroom", "klantnummer", "contractnummer"},
		"ES": {from("Begoña Núñez", "Calle del Ejemplo 5, 2.º B", "28013", "Madrid"),
			to("ES", "Avenida de la Muestra 40", "08001", "Barcelona", "Ejemplo Seguros, S. A.", "Atención al cliente"),
			"Seguro de Hogar Básico", "número de cliente", "número de póliza"},
		"IT": {from("Niccolò D’Èlia", "Via dell’Esempio 6", "20121", "Milano MI"),
			to("IT", "Corso della Prova 30", "10121", "Torino TO", "Esempio Telefonia S.p.A.", "Servizio clienti"),
			"Fibra Casa", "codice cliente", "numero di contratto"},
		"SE": {from("Åsa Söderström", "Provgatan 2", "111 22", "Stockholm"),
			to("SE", "Box 100", "401 20", "Göteborg", "Exempelgymmet AB", "Kundtjänst"),
			"Träningskort Guld", "kundnummer", "avtalsnummer"},
		"PL": {from("Łucja Źdźbło", "ul. Przykładowa 3/5", "00-001", "Warszawa"),
			to("PL", "ul. Wzorcowa 12", "30-001", "Kraków", "Przykład Telekom Sp. z o.o.", "Biuro Obsługi Klienta"),
			"Internet Światłowodowy", "numer klienta", "numer umowy"},
		"DK": {from("Sørine Ærø", "Prøvevej 4, 2. tv.", "2100", "København Ø"),
			to("DK", "Eksempelgade 10", "8000", "Aarhus C", "Eksempel Fitness A/S", "Kundeservice"),
			"Fitness Plus", "kundenummer", "aftalenummer"},
		"FI": {from("Äijä Öhman", "Mallikatu 5 A 7", "00100", "Helsinki"),
			to("FI", "Esimerkkitie 3", "33100", "Tampere", "Esimerkki Oy", "Asiakaspalvelu"),
			"Laajakaista 200", "asiakasnumero", "sopimusnumero"},
		"PT": {from("João Magalhães", "Rua do Exemplo 9, 3.º Esq.", "1000-001", "Lisboa"),
			to("PT", "Avenida da Amostra 50", "4000-001", "Porto", "Exemplo Ginásios, S. A.", "Apoio ao cliente"),
			"Mensalidade Livre", "número de cliente", "número de contrato"},
		"CZ": {from("Žofie Říhová", "Vzorová 8", "110 00", "Praha 1"),
			to("CZ", "Ukázková 15", "602 00", "Brno", "Příklad Telefon a.s.", "Zákaznická podpora"),
			"Neomezený tarif", "zákaznické číslo", "číslo smlouvy"},
		"NO": {from("Bjørg Ånestad", "Prøveveien 6", "0150", "Oslo"),
			to("NO", "Postboks 100", "5003", "Bergen", "Eksempel Strøm AS", "Kundeservice"),
			"Spotpris Pluss", "kundenummer", "avtalenummer"},
		"LU": {recipient: to("LU", "5, rue du Modèle", "L-1234", "Luxembourg", "Exemple Média S.à r.l.", "Service clients", "Résiliations")},
	}
}
