var values = new AnswerReplyRequest().parameters(List.of(
        new CancellationParameter()
                .fieldKey("CUSTOMER_NUMBER").fieldValue("K-204817")));
try {
    var reply = client.user(userId).cancellations().answerReply(cancellationId, replyId,
            values, options -> options.idempotencyKey("answer-" + replyId));
    System.out.println(reply.answerStatus());
} catch (ConflictException e) {
    System.out.println("The reply asks for nothing, or has been answered.");
}
