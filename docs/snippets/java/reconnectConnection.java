var link = client.user(userId).connections().reconnect(connectionId,
        new ReconnectConnectionRequest().returnUrl("https://partner.example/back"));
System.out.println("Send the user to " + link.redirectUrl());
