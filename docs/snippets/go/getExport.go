export, err := client.Users.GetExport(ctx, userID, exportID)
if err != nil {
	return err
}
fmt.Println(export.ExpiresAt, len(export.Files))
