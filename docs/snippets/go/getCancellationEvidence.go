evidence, err := client.User(userID).Cancellations.GetEvidence(ctx, cancellationID)
if err != nil {
	return err
}
return os.WriteFile("evidence.zip", evidence, 0o600)
