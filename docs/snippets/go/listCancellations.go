for cancellation, err := range client.User(userID).Cancellations.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(cancellation.CancellationID, cancellation.Status)
}
