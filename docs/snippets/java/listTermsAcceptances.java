for (var acceptance : client.user(userId).terms().listAcceptances()) {
    System.out.println(acceptance.termsType() + " " + acceptance.version() + " " + acceptance.acceptedAt());
}
