var request = new UpdateUserRequest().languageCode("fr");
var user = client.users().update(userId, request);
System.out.println(user.languageCode());
