reply, err := client.User(userID).Cancellations.GetReply(ctx, cancellationID, replyID)
if err != nil {
	return err
}
fmt.Println(reply.From, reply.Text)
