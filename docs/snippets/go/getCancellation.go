cancellation, err := client.User(userID).Cancellations.Get(ctx, cancellationID)
if err != nil {
	return err
}
fmt.Println(cancellation.Status, cancellation.History)
