package main

import "aviso/internal/cancellation"

// person is a sender of a country, and what they have where.
type person struct {
	sender    cancellation.Sender
	recipient cancellation.PostalAddress
	product   string
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
			"Beispielfunk Mobil Plus"},
		"AT": {from("Änne Prückl", "Musterzeile 3/14", "1070", "Wien"),
			to("AT", "Probegasse 9", "8010", "Graz", "Beispielstrom AG", "Kundendienst"),
			"Naturstrom Fix"},
		"CH": {from("Zoë Grüter", "Musterweg 5", "8004", "Zürich"),
			to("CH", "Rue de l’Exemple 21", "1003", "Lausanne", "Beispielsport SA", "Service clientèle"),
			"Fitness Abo"},
		"GB": {from("Siân O’Reilly", "14 Sample Street", "LS1 4AP", "Leeds"),
			to("GB", "1 Example Road", "M1 1AE", "Manchester", "Example Broadband Ltd", "Customer Care"),
			"Fibre 100 Broadband"},
		"IE": {from("Aoife Ní Bhriain", "3 Sample Quay", "D02 XY45", "Dublin 2"),
			to("IE", "8 Example Street", "T12 AB34", "Cork", "Example Gym Ltd"),
			"Gym membership"},
		"FR": {from("Gaëlle Lefèvre", "8 rue de l’Essai", "69002", "Lyon"),
			to("FR", "25 avenue du Modèle", "75011", "Paris", "Exemple Télécom SA", "Service clients"),
			"Forfait Liberté 50 Go"},
		"BE": {from("Noël De Smet", "Rue du Test 4", "1000", "Bruxelles"),
			to("BE", "Modellaan 11", "2000", "Antwerpen", "Voorbeeld NV"),
			"Internet Plus"},
		"NL": {from("Daniël van IJken", "Voorbeeldgracht 10", "1012 AB", "Amsterdam"),
			to("NL", "Postbus 100", "3500 AC", "Utrecht", "Voorbeeld Energie B.V.", "Klantenservice"),
			"Groene Stroom"},
		"ES": {from("Begoña Núñez", "Calle del Ejemplo 5, 2.º B", "28013", "Madrid"),
			to("ES", "Avenida de la Muestra 40", "08001", "Barcelona", "Ejemplo Seguros, S. A.", "Atención al cliente"),
			"Seguro de Hogar Básico"},
		"IT": {from("Niccolò D’Èlia", "Via dell’Esempio 6", "20121", "Milano"),
			to("IT", "Corso della Prova 30", "10121", "Torino TO", "Esempio Telefonia S.p.A.", "Servizio clienti"),
			"Fibra Casa"},
		"SE": {from("Åsa Söderström", "Provgatan 2", "111 22", "Stockholm"),
			to("SE", "Box 100", "401 20", "Göteborg", "Exempelgymmet AB", "Kundtjänst"),
			"Träningskort Guld"},
		"PL": {from("Łucja Źdźbło", "ul. Przykładowa 3/5", "00-001", "Warszawa"),
			to("PL", "ul. Wzorcowa 12", "30-001", "Kraków", "Przykład Telekom Sp. z o.o.", "Biuro Obsługi Klienta"),
			"Internet Światłowodowy"},
		"DK": {from("Sørine Ærø", "Prøvevej 4, 2. tv.", "2100", "København Ø"),
			to("DK", "Eksempelgade 10", "8000", "Aarhus C", "Eksempel Fitness A/S", "Kundeservice"),
			"Fitness Plus"},
		"FI": {from("Äijä Öhman", "Mallikatu 5 A 7", "00100", "Helsinki"),
			to("FI", "Esimerkkitie 3", "33100", "Tampere", "Esimerkki Oy", "Asiakaspalvelu"),
			"Laajakaista 200"},
		"PT": {from("João Magalhães", "Rua do Exemplo 9, 3.º Esq.", "1000-001", "Lisboa"),
			to("PT", "Avenida da Amostra 50", "4000-001", "Porto", "Exemplo Ginásios, S. A.", "Apoio ao cliente"),
			"Mensalidade Livre"},
		"CZ": {from("Žofie Říhová", "Vzorová 8", "110 00", "Praha 1"),
			to("CZ", "Ukázková 15", "602 00", "Brno", "Příklad Telefon a.s.", "Zákaznická podpora"),
			"Neomezený tarif"},
		"NO": {from("Bjørg Ånestad", "Prøveveien 6", "0150", "Oslo"),
			to("NO", "Postboks 100", "5003", "Bergen", "Eksempel Strøm AS", "Kundeservice"),
			"Spotpris Pluss"},
		"LU": {recipient: to("LU", "5, rue du Modèle", "L-1234", "Luxembourg", "Exemple Média S.à r.l.", "Service clients", "Résiliations")},
	}
}

// labels are those of the template's fields for customer and contract number.
func labels(language string) (customer, contract string) {
	all := map[string][2]string{
		"de": {"Kundennummer", "Vertragsnummer"},
		"en": {"Customer number", "Contract number"},
		"fr": {"Numéro client", "Numéro de contrat"},
		"nl": {"Klantnummer", "Contractnummer"},
		"es": {"Número de cliente", "Número de contrato"},
		"it": {"Codice cliente", "Numero di contratto"},
		"sv": {"Kundnummer", "Avtalsnummer"},
		"pl": {"Numer klienta", "Numer umowy"},
		"da": {"Kundenummer", "Aftalenummer"},
		"fi": {"Asiakasnumero", "Sopimusnumero"},
		"pt": {"Número de cliente", "Número de contrato"},
		"cs": {"Zákaznické číslo", "Číslo smlouvy"},
		"nb": {"Kundenummer", "Avtalenummer"},
	}[language]
	return all[0], all[1]
}
