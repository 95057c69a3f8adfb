var request = new CreateConnectionRequest()
        .providerId(providerId).returnUrl("https://partner.example/back");
var link = client.user(userId).connections().create(request);
System.out.println("Send the user to " + link.redirectUrl());
