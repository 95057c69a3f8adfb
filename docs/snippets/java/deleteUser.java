var erasure = client.users().delete(userId);
System.out.println(erasure.erasureId() + " " + erasure.status());
