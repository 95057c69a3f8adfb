export, err := client.Users.CreateExport(ctx, userID)
if err != nil {
	return err
}
fmt.Println(export.ExportID)
for _, f := range export.Files {
	fmt.Println(f.Name, f.URL)
}
