var user = client.users().find(options -> options.externalId("customer-4711"));
System.out.println(user.userId());
