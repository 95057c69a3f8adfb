clock, err := client.Sandbox.AdvanceClock(ctx, userID,
	aviso.AdvanceClockRequest{AdvanceBy: "P1M"})
if err != nil {
	return err
}
fmt.Println(clock.Status, "until", clock.AdvancedTo)
