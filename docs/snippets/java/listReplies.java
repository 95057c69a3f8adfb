for (var reply : client.user(userId).cancellations().listReplies(cancellationId)) {
    System.out.println(reply.replyId() + " " + reply.kind());
}
