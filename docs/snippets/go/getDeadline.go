params := &aviso.GetDeadlineParams{ContractStart: "2025-03-15", Locale: "de-DE"}
deadline, err := client.Catalogue.GetDeadline(ctx, organizationID, productID, params)
if err != nil {
	return err
}
for _, last := range deadline.SendBy {
	fmt.Println(last.Channel, "by", last.Date, "to end on", deadline.EarliestEnd)
}
