letter := aviso.CreateCancellationRequest{
	OrganizationID: organizationID,
	ProductID:      productID,
	Locale:         "de-DE",
	Parameters: []aviso.CancellationParameter{
		{FieldKey: "NAME", FieldValue: "Anna Sommer"},
		{FieldKey: "ADDRESS", FieldValue: "Lindenallee 12"},
		{FieldKey: "ZIP", FieldValue: "50667"},
		{FieldKey: "CITY", FieldValue: "Köln"},
		{FieldKey: "EMAIL", FieldValue: "anna.sommer@example.org"},
		{FieldKey: "CUSTOMER_NUMBER", FieldValue: "K-204817"},
		{FieldKey: "DATA_DELETE_REQUEST", FieldValue: "true"},
	},
	Signature: aviso.Signature{Type: aviso.SignatureTypeTEXT, Data: "Anna Sommer"},
}
key := aviso.WithIdempotencyKey("order-4711-" + userID)
created, err := client.User(userID).Cancellations.Create(ctx, letter, nil, key)
if err != nil {
	return err
}
fmt.Println(created.Cancellation.CancellationID, created.Cancellation.Status)
