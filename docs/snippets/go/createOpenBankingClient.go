// The Go client has no method for this: it is deprecated, and no flow needs it.
address := baseURL + "/openbanking/v1/clients"
body := strings.NewReader(`{"countryCode": "DE", "languageCode": "de"}`)
request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
if err != nil {
	return err
}
request.Header.Set("Authorization", "Bearer "+token)
request.Header.Set("X-User-Id", userID)
request.Header.Set("Content-Type", "application/json")
answer, err := http.DefaultClient.Do(request)
if err != nil {
	return err
}
defer answer.Body.Close()
if answer.StatusCode >= 300 {
	return errors.New(answer.Status)
}
