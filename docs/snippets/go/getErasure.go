receipt, err := client.Users.GetErasure(ctx, erasureID)
if err != nil {
	return err
}
fmt.Println(receipt.Status, receipt.Counts)
