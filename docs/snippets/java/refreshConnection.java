// The address is that of the user who waits. Leave it out if nobody does.
var connection = client.user(userId).connections().refresh(connectionId,
        options -> options.psuIpAddress("203.0.113.7"));
System.out.println(connection.nextRefreshPossibleAt());
