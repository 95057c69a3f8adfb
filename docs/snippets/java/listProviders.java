var providers = client.providers().list(
        options -> options.countryCode("DE").providerNameFilter("linden"));
for (var p : providers) {
    System.out.println(p.id() + " " + p.name());
}
