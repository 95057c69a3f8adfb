clock, err := client.User(userID).Sandbox.GetClock(ctx)
for err == nil && clock.Status == "Advancing" {
	time.Sleep(time.Second)
	clock, err = client.User(userID).Sandbox.GetClock(ctx)
}
if err != nil {
	return err
}
fmt.Println("The user's time is", clock.Now)
