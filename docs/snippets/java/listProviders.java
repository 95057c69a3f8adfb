var providers = client.providers().list(options -> options.countryCode("DE").providerNameFilter("linden"));
for (var provider : providers) {
    System.out.println(provider.id() + " " + provider.name());
}
