var cancellation = client.user(userId).cancellations().get(cancellationId);
System.out.println(cancellation.status() + " " + cancellation.history());
