clock, err := client.Sandbox.GetClock(ctx, userID)
for err == nil && clock.Status == "Advancing" {
	time.Sleep(time.Second)
	clock, err = client.Sandbox.GetClock(ctx, userID)
}
if err != nil {
	return err
}
fmt.Println("The user's time is", clock.Now)
