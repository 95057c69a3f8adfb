needs := aviso.SendObjectionRequest{
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
key := aviso.WithIdempotencyKey("objection-" + cancellationID)
sent, err := client.User(userID).Cancellations.SendObjection(ctx, cancellationID, needs, nil, key)
if errors.Is(err, aviso.ErrConflict) {
	fmt.Println("There is no debit to object to.")
	return nil
}
if err != nil {
	return err
}
fmt.Println(sent.Objection.ObjectionID, sent.Objection.Status)
