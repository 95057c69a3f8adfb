erasure, err := client.Users.Delete(ctx, userID)
if err != nil {
	return err
}
fmt.Println(erasure.ErasureID, erasure.Status)
