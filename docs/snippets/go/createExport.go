export, err := client.Users.CreateExport(ctx, userID)
if err != nil {
	return err
}
for _, f := range export.Files {
	fmt.Println(f.Name, f.URL)
}
