for (var a : client.user(userId).terms().listAcceptances()) {
    System.out.println(a.termsType() + " " + a.version() + " " + a.acceptedAt());
}
