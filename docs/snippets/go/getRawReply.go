mail, err := client.User(userID).Cancellations.GetRawReply(ctx, cancellationID, replyID)
if err != nil {
	return err
}
return os.WriteFile("reply.eml", mail, 0o600)
