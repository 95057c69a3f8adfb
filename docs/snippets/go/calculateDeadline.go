facts := aviso.CalculateDeadlineRequest{
	ContractStart: "2025-03-15",
	Customer:      "Consumer",
	AgreedTerms:   aviso.AgreedTerms{NoticePeriod: "P2W"},
}
deadline, err := client.Catalogue.CalculateDeadline(ctx, organizationID, productID, facts, nil)
if err != nil {
	return err
}
for _, step := range deadline.Steps {
	fmt.Println(step.Text, step.Source)
}
