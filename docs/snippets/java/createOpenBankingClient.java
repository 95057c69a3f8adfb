// This is deprecated: no flow needs it.
var request = new CreateOpenBankingClientRequest()
        .countryCode("DE").languageCode("de");
var created = client.user(userId).clients().createOpenBankingClient(request);
System.out.println(created.id());
