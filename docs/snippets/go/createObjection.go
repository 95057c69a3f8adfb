needs := aviso.CreateObjectionRequest{
	Parameters: []aviso.CancellationParameter{
		{FieldKey: "NAME", FieldValue: "Anna Sommer"},
		{FieldKey: "ADDRESS", FieldValue: "Lindenallee 12"},
		{FieldKey: "ZIP", FieldValue: "50667"},
		{FieldKey: "CITY", FieldValue: "Köln"},
		{FieldKey: "EMAIL", FieldValue: "anna.sommer@example.org"},
		{FieldKey: "CUSTOMER_NUMBER", FieldValue: "K-204817"},
		{FieldKey: "DATA_DELETE_REQUEST", FieldValue: "false"},
	},
	Signature: aviso.Signature{Type: aviso.SignatureTypeTEXT, Data: "Anna Sommer"},
}
letter, err := client.User(userID).Cancellations.CreateObjection(ctx, cancellationID, needs)
if errors.Is(err, aviso.ErrConflict) {
	fmt.Println("No debit came after the end.")
	return nil
}
if err != nil {
	return err
}
fmt.Println(letter.SHA256)
