// The client knows where to get a token. An OAuth library reads it here.
answer, err := http.Get(baseURL + "/.well-known/oauth-authorization-server")
if err != nil {
	return err
}
defer answer.Body.Close()
if answer.StatusCode != http.StatusOK {
	return errors.New(answer.Status)
}
var server struct {
	TokenEndpoint string `json:"token_endpoint"`
}
if err := json.NewDecoder(answer.Body).Decode(&server); err != nil {
	return err
}
fmt.Println(server.TokenEndpoint)
