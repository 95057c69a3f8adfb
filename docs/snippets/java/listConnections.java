for (var c : client.user(userId).connections().list()) {
    System.out.println(c.providerName() + " " + c.connectionStatus());
}
