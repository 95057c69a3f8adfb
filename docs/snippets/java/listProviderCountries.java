for (var country : client.providers().listCountries()) {
    System.out.println(country.countryCode() + " " + country.providerCount());
}
