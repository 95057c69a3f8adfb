byte[] mail = client.user(userId).cancellations().getRawReply(cancellationId, replyId);
Files.write(Path.of("reply.eml"), mail);
