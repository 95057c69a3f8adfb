answer := aviso.UpdateCancellationOutcomeRequest{Status: "Confirmed", EndDate: "2027-01-31"}
cancellation, err := client.User(userID).Cancellations.UpdateCancellationOutcome(ctx, cancellationID, answer)
if errors.Is(err, aviso.ErrConflict) {
	fmt.Println("The cancellation is not waiting for an answer.")
	return nil
}
if err != nil {
	return err
}
fmt.Println(cancellation.Status)
