for (var o : client.user(userId).cancellations().listObjections(cancellationId)) {
    System.out.println(o.objectionId() + " " + o.status());
}
