var user = client.users().create(new CreateUserRequest()
        .externalId("customer-4711").countryCode("DE").languageCode("de"));
System.out.println(user.userId());
