values := aviso.AnswerReplyRequest{Parameters: []aviso.CancellationParameter{
	{FieldKey: "CUSTOMER_NUMBER", FieldValue: "K-204817"},
}}
key := aviso.WithIdempotencyKey("answer-" + replyID)
reply, err := client.User(userID).Cancellations.AnswerReply(ctx, cancellationID, replyID, values, key)
if errors.Is(err, aviso.ErrConflict) {
	fmt.Println("The reply asks for nothing, or has been answered.")
	return nil
}
if err != nil {
	return err
}
fmt.Println(reply.AnswerStatus)
