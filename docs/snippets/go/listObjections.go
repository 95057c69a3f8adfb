objections, err := client.User(userID).Cancellations.ListObjections(ctx, cancellationID)
if err != nil {
	return err
}
for _, o := range objections {
	fmt.Println(o.ObjectionID, o.Status, len(o.Debits))
}
