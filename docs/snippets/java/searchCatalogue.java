var found = client.search().searchCatalogue(
        options -> options.searchQuery("vidorma"));
for (var organization : found.data().organizations()) {
    System.out.println(organization.id() + " " + organization.name());
}
