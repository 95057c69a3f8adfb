var connection = client.user(userId).connections().get(connectionId);
System.out.println(connection.connectionStatus());
