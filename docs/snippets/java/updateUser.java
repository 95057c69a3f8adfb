var user = client.users().update(userId, new UpdateUserRequest().languageCode("fr"));
System.out.println(user.languageCode());
