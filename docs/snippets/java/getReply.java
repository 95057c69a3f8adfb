var reply = client.user(userId).cancellations().getReply(cancellationId, replyId);
System.out.println(reply.from() + " " + reply.text());
