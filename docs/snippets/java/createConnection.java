var link = client.user(userId).connections().create(new CreateConnectionRequest()
        .providerId(providerId).returnUrl("https://partner.example/back"));
System.out.println("Send the user to " + link.redirectUrl());
