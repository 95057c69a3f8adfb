for (var connection : client.user(userId).connections().list()) {
    System.out.println(connection.providerName() + " " + connection.connectionStatus());
}
