var request = new ReconnectConnectionRequest()
        .returnUrl("https://partner.example/back");
var link = client.user(userId).connections().reconnect(connectionId, request);
System.out.println("Send the user to " + link.redirectUrl());
