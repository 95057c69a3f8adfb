for (var t : client.terms().list()) {
    System.out.println(t.termsType() + " " + t.version() + " " + t.url());
}
