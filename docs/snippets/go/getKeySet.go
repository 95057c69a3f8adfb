// The client needs no keys. A gateway that checks tokens takes this address.
answer, err := http.Get(baseURL + "/.well-known/jwks.json")
if err != nil {
	return err
}
defer answer.Body.Close()
if answer.StatusCode != http.StatusOK {
	return errors.New(answer.Status)
}
var set struct{ Keys []map[string]any }
if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
	return err
}
fmt.Println(set.Keys)
