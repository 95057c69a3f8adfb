clock, err := client.User(userID).Sandbox.AdvanceClock(ctx,
	aviso.AdvanceClockRequest{AdvanceBy: "P1M"})
if err != nil {
	return err
}
fmt.Println(clock.Status, "until", clock.AdvancedTo)
