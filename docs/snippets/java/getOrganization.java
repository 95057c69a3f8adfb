var organization = client.catalogue().getOrganization(organizationId);
System.out.println(organization.name() + " " + organization.url());
