user := client.User(userID)
cancellation, err := user.Cancellations.Withdraw(ctx, cancellationID)
if errors.Is(err, aviso.ErrConflict) {
	fmt.Println("The letter has been sent.")
	return nil
}
if err != nil {
	return err
}
fmt.Println(cancellation.Status)
