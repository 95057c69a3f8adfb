for (var organization : client.catalogue().listOrganizations()) {
    System.out.println(organization.id() + " " + organization.name());
}
