for (var terms : client.terms().list()) {
    System.out.println(terms.termsType() + " " + terms.version() + " " + terms.url());
}
