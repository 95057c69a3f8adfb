var request = new CreateUserRequest()
        .externalId("customer-4711").countryCode("DE").languageCode("de");
var user = client.users().create(request);
System.out.println(user.userId());
