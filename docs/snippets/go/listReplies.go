replies, err := client.User(userID).Cancellations.ListReplies(ctx, cancellationID)
if err != nil {
	return err
}
for _, r := range replies {
	fmt.Println(r.ReplyID, r.Kind, r.Excerpt)
}
