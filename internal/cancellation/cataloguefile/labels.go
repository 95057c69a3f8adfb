package cataloguefile

import "aviso/internal/cancellation"

// standardLabels are the labels of the standard fields, by language.
var standardLabels = map[string]map[string]string{
	"en": {
		cancellation.FieldName: "Name", cancellation.FieldAddress: "Street and house number", cancellation.FieldZIP: "Postal code", cancellation.FieldCity: "City",
		cancellation.FieldEmail: "E-mail address", cancellation.FieldPhoneNumber: "Phone number", cancellation.FieldDeleteData: "Delete my personal data", cancellation.FieldCustomerNumber: "Customer number",
		cancellation.FieldContractNumber: "Contract number", "MEMBERSHIP_NUMBER": "Membership number", "POLICY_NUMBER": "Policy number", "SUBSCRIPTION_NUMBER": "Subscription number",
		"BIRTH_DATE": "Date of birth", "METER_NUMBER": "Meter number", "LICENSE_PLATE": "Number plate", "USER_NAME": "User name",
	},
	"de": {
		cancellation.FieldName: "Name", cancellation.FieldAddress: "Straße und Hausnummer", cancellation.FieldZIP: "Postleitzahl", cancellation.FieldCity: "Ort",
		cancellation.FieldEmail: "E-Mail-Adresse", cancellation.FieldPhoneNumber: "Telefonnummer", cancellation.FieldDeleteData: "Löschung meiner personenbezogenen Daten", cancellation.FieldCustomerNumber: "Kundennummer",
		cancellation.FieldContractNumber: "Vertragsnummer", "MEMBERSHIP_NUMBER": "Mitgliedsnummer", "POLICY_NUMBER": "Versicherungsscheinnummer", "SUBSCRIPTION_NUMBER": "Abonummer",
		"BIRTH_DATE": "Geburtsdatum", "METER_NUMBER": "Zählernummer", "LICENSE_PLATE": "Kfz-Kennzeichen", "USER_NAME": "Benutzername",
	},
	"fr": {
		cancellation.FieldName: "Nom et prénom", cancellation.FieldAddress: "Numéro et rue", cancellation.FieldZIP: "Code postal", cancellation.FieldCity: "Ville",
		cancellation.FieldEmail: "Adresse e-mail", cancellation.FieldPhoneNumber: "Numéro de téléphone", cancellation.FieldDeleteData: "Suppression de mes données personnelles", cancellation.FieldCustomerNumber: "Numéro de client",
		cancellation.FieldContractNumber: "Numéro de contrat", "MEMBERSHIP_NUMBER": "Numéro d’adhérent", "POLICY_NUMBER": "Numéro de police", "SUBSCRIPTION_NUMBER": "Numéro d’abonnement",
		"BIRTH_DATE": "Date de naissance", "METER_NUMBER": "Numéro de compteur", "LICENSE_PLATE": "Numéro d’immatriculation", "USER_NAME": "Nom d’utilisateur",
	},
	"nl": {
		cancellation.FieldName: "Naam", cancellation.FieldAddress: "Straat en huisnummer", cancellation.FieldZIP: "Postcode", cancellation.FieldCity: "Woonplaats",
		cancellation.FieldEmail: "E-mailadres", cancellation.FieldPhoneNumber: "Telefoonnummer", cancellation.FieldDeleteData: "Verwijdering van mijn persoonsgegevens", cancellation.FieldCustomerNumber: "Klantnummer",
		cancellation.FieldContractNumber: "Contractnummer", "MEMBERSHIP_NUMBER": "Lidmaatschapsnummer", "POLICY_NUMBER": "Polisnummer", "SUBSCRIPTION_NUMBER": "Abonnementsnummer",
		"BIRTH_DATE": "Geboortedatum", "METER_NUMBER": "Meternummer", "LICENSE_PLATE": "Kenteken", "USER_NAME": "Gebruikersnaam",
	},
	"es": {
		cancellation.FieldName: "Nombre y apellidos", cancellation.FieldAddress: "Calle y número", cancellation.FieldZIP: "Código postal", cancellation.FieldCity: "Localidad",
		cancellation.FieldEmail: "Correo electrónico", cancellation.FieldPhoneNumber: "Número de teléfono", cancellation.FieldDeleteData: "Supresión de mis datos personales", cancellation.FieldCustomerNumber: "Número de cliente",
		cancellation.FieldContractNumber: "Número de contrato", "MEMBERSHIP_NUMBER": "Número de socio", "POLICY_NUMBER": "Número de póliza", "SUBSCRIPTION_NUMBER": "Número de suscripción",
		"BIRTH_DATE": "Fecha de nacimiento", "METER_NUMBER": "Número de contador", "LICENSE_PLATE": "Matrícula", "USER_NAME": "Nombre de usuario",
	},
	"it": {
		cancellation.FieldName: "Nome e cognome", cancellation.FieldAddress: "Via e numero civico", cancellation.FieldZIP: "CAP", cancellation.FieldCity: "Città",
		cancellation.FieldEmail: "Indirizzo e-mail", cancellation.FieldPhoneNumber: "Numero di telefono", cancellation.FieldDeleteData: "Cancellazione dei miei dati personali", cancellation.FieldCustomerNumber: "Numero cliente",
		cancellation.FieldContractNumber: "Numero di contratto", "MEMBERSHIP_NUMBER": "Numero di tessera", "POLICY_NUMBER": "Numero di polizza", "SUBSCRIPTION_NUMBER": "Numero di abbonamento",
		"BIRTH_DATE": "Data di nascita", "METER_NUMBER": "Numero del contatore", "LICENSE_PLATE": "Targa", "USER_NAME": "Nome utente",
	},
	"sv": {
		cancellation.FieldName: "Namn", cancellation.FieldAddress: "Gatuadress", cancellation.FieldZIP: "Postnummer", cancellation.FieldCity: "Ort",
		cancellation.FieldEmail: "E-postadress", cancellation.FieldPhoneNumber: "Telefonnummer", cancellation.FieldDeleteData: "Radering av mina personuppgifter", cancellation.FieldCustomerNumber: "Kundnummer",
		cancellation.FieldContractNumber: "Avtalsnummer", "MEMBERSHIP_NUMBER": "Medlemsnummer", "POLICY_NUMBER": "Försäkringsnummer", "SUBSCRIPTION_NUMBER": "Prenumerationsnummer",
		"BIRTH_DATE": "Födelsedatum", "METER_NUMBER": "Mätarnummer", "LICENSE_PLATE": "Registreringsnummer", "USER_NAME": "Användarnamn",
	},
	"pl": {
		cancellation.FieldName: "Imię i nazwisko", cancellation.FieldAddress: "Ulica i numer domu", cancellation.FieldZIP: "Kod pocztowy", cancellation.FieldCity: "Miejscowość",
		cancellation.FieldEmail: "Adres e-mail", cancellation.FieldPhoneNumber: "Numer telefonu", cancellation.FieldDeleteData: "Usunięcie moich danych osobowych", cancellation.FieldCustomerNumber: "Numer klienta",
		cancellation.FieldContractNumber: "Numer umowy", "MEMBERSHIP_NUMBER": "Numer członkowski", "POLICY_NUMBER": "Numer polisy", "SUBSCRIPTION_NUMBER": "Numer subskrypcji",
		"BIRTH_DATE": "Data urodzenia", "METER_NUMBER": "Numer licznika", "LICENSE_PLATE": "Numer rejestracyjny", "USER_NAME": "Nazwa użytkownika",
	},
	"da": {
		cancellation.FieldName: "Navn", cancellation.FieldAddress: "Vejnavn og husnummer", cancellation.FieldZIP: "Postnummer", cancellation.FieldCity: "By",
		cancellation.FieldEmail: "E-mailadresse", cancellation.FieldPhoneNumber: "Telefonnummer", cancellation.FieldDeleteData: "Sletning af mine personoplysninger", cancellation.FieldCustomerNumber: "Kundenummer",
		cancellation.FieldContractNumber: "Aftalenummer", "MEMBERSHIP_NUMBER": "Medlemsnummer", "POLICY_NUMBER": "Policenummer", "SUBSCRIPTION_NUMBER": "Abonnementsnummer",
		"BIRTH_DATE": "Fødselsdato", "METER_NUMBER": "Målernummer", "LICENSE_PLATE": "Registreringsnummer", "USER_NAME": "Brugernavn",
	},
	"nb": {
		cancellation.FieldName: "Navn", cancellation.FieldAddress: "Gateadresse", cancellation.FieldZIP: "Postnummer", cancellation.FieldCity: "Poststed",
		cancellation.FieldEmail: "E-postadresse", cancellation.FieldPhoneNumber: "Telefonnummer", cancellation.FieldDeleteData: "Sletting av mine personopplysninger", cancellation.FieldCustomerNumber: "Kundenummer",
		cancellation.FieldContractNumber: "Avtalenummer", "MEMBERSHIP_NUMBER": "Medlemsnummer", "POLICY_NUMBER": "Polisenummer", "SUBSCRIPTION_NUMBER": "Abonnementsnummer",
		"BIRTH_DATE": "Fødselsdato", "METER_NUMBER": "Målernummer", "LICENSE_PLATE": "Registreringsnummer", "USER_NAME": "Brukernavn",
	},
	"fi": {
		cancellation.FieldName: "Nimi", cancellation.FieldAddress: "Katuosoite", cancellation.FieldZIP: "Postinumero", cancellation.FieldCity: "Postitoimipaikka",
		cancellation.FieldEmail: "Sähköpostiosoite", cancellation.FieldPhoneNumber: "Puhelinnumero", cancellation.FieldDeleteData: "Henkilötietojeni poistaminen", cancellation.FieldCustomerNumber: "Asiakasnumero",
		cancellation.FieldContractNumber: "Sopimusnumero", "MEMBERSHIP_NUMBER": "Jäsennumero", "POLICY_NUMBER": "Vakuutusnumero", "SUBSCRIPTION_NUMBER": "Tilausnumero",
		"BIRTH_DATE": "Syntymäaika", "METER_NUMBER": "Mittarin numero", "LICENSE_PLATE": "Rekisterinumero", "USER_NAME": "Käyttäjätunnus",
	},
	"pt": {
		cancellation.FieldName: "Nome", cancellation.FieldAddress: "Rua e número", cancellation.FieldZIP: "Código postal", cancellation.FieldCity: "Localidade",
		cancellation.FieldEmail: "Endereço de e-mail", cancellation.FieldPhoneNumber: "Número de telefone", cancellation.FieldDeleteData: "Apagamento dos meus dados pessoais", cancellation.FieldCustomerNumber: "Número de cliente",
		cancellation.FieldContractNumber: "Número de contrato", "MEMBERSHIP_NUMBER": "Número de sócio", "POLICY_NUMBER": "Número de apólice", "SUBSCRIPTION_NUMBER": "Número de subscrição",
		"BIRTH_DATE": "Data de nascimento", "METER_NUMBER": "Número do contador", "LICENSE_PLATE": "Matrícula", "USER_NAME": "Nome de utilizador",
	},
	"cs": {
		cancellation.FieldName: "Jméno a příjmení", cancellation.FieldAddress: "Ulice a číslo domu", cancellation.FieldZIP: "PSČ", cancellation.FieldCity: "Obec",
		cancellation.FieldEmail: "E-mailová adresa", cancellation.FieldPhoneNumber: "Telefonní číslo", cancellation.FieldDeleteData: "Výmaz mých osobních údajů", cancellation.FieldCustomerNumber: "Zákaznické číslo",
		cancellation.FieldContractNumber: "Číslo smlouvy", "MEMBERSHIP_NUMBER": "Členské číslo", "POLICY_NUMBER": "Číslo pojistné smlouvy", "SUBSCRIPTION_NUMBER": "Číslo předplatného",
		"BIRTH_DATE": "Datum narození", "METER_NUMBER": "Číslo měřidla", "LICENSE_PLATE": "Registrační značka", "USER_NAME": "Uživatelské jméno",
	},
}

// localLabels are those that a country words otherwise than its language.
var localLabels = map[cancellation.Locale]map[string]string{
	"de-CH": {cancellation.FieldAddress: "Strasse und Hausnummer", "POLICY_NUMBER": "Policennummer", "LICENSE_PLATE": "Kontrollschild"},
	"de-LI": {cancellation.FieldAddress: "Strasse und Hausnummer", "POLICY_NUMBER": "Policennummer", "LICENSE_PLATE": "Kontrollschild"},
	"de-AT": {"POLICY_NUMBER": "Polizzennummer"},
	"en-GB": {cancellation.FieldZIP: "Postcode", cancellation.FieldCity: "Town or city", "LICENSE_PLATE": "Registration number"},
	"en-IE": {cancellation.FieldZIP: "Eircode", "LICENSE_PLATE": "Registration number"},
	"en-US": {cancellation.FieldAddress: "Street address", cancellation.FieldZIP: "ZIP code", "LICENSE_PLATE": "License plate"},
	"fr-BE": {cancellation.FieldAddress: "Rue et numéro", cancellation.FieldCity: "Localité"},
	"fr-CH": {cancellation.FieldAddress: "Rue et numéro", cancellation.FieldZIP: "NPA", cancellation.FieldCity: "Localité", "LICENSE_PLATE": "Numéro de plaque"},
	"it-CH": {cancellation.FieldZIP: "NPA", cancellation.FieldCity: "Località"},
	"nl-BE": {cancellation.FieldCity: "Gemeente", "LICENSE_PLATE": "Nummerplaat"},
	"pt-BR": {
		cancellation.FieldZIP: "CEP", cancellation.FieldCity: "Cidade", cancellation.FieldDeleteData: "Exclusão dos meus dados pessoais", "SUBSCRIPTION_NUMBER": "Número da assinatura",
		"METER_NUMBER": "Número do medidor", "LICENSE_PLATE": "Placa", "USER_NAME": "Nome de usuário",
	},
}
