letter, err := client.User(userID).Cancellations.GetLetter(ctx, cancellationID)
if err != nil {
	return err
}
return os.WriteFile("letter.pdf", letter, 0o600)
