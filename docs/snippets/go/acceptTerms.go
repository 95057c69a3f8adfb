acceptance, err := client.User(userID).Terms.Accept(ctx, aviso.AcceptTermsRequest{
	TermsType: "Operator", Version: "2026-01",
})
if err != nil {
	return err
}
fmt.Println(acceptance.TermsType, acceptance.AcceptedAt)
