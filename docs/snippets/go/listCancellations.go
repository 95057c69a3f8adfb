for c, err := range client.User(userID).Cancellations.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(c.CancellationID, c.Status)
}
