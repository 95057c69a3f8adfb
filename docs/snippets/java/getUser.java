var user = client.users().get(userId);
System.out.println(user.externalId() + " " + user.languageCode());
