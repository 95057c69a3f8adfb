// This is deprecated: no flow needs it.
var created = client.user(userId).clients().createOpenBankingClient(new CreateOpenBankingClientRequest()
        .countryCode("DE").languageCode("de"));
System.out.println(created.id());
