cancellation, err := client.User(userID).Cancellations.Get(ctx, cancellationID)
if err != nil {
	return err
}
mail := "From: Vidorama <service@vidorama.example>\r\nTo: " + cancellation.ReplyAddress +
	"\r\nSubject: Your cancellation\r\n\r\nWe have received your letter under the number 48201.\r\n"
request, err := http.NewRequestWithContext(ctx, http.MethodPost, baseURL+"/sandbox/v1/mail",
	strings.NewReader(mail))
if err != nil {
	return err
}
request.Header.Set("Authorization", "Bearer "+token)
request.Header.Set("Content-Type", "message/rfc822")
answer, err := http.DefaultClient.Do(request)
if err != nil {
	return err
}
defer answer.Body.Close()
fmt.Println(answer.Status)
