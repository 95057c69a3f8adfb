answer, err := http.Get(baseURL + "/openapi.yaml")
if err != nil {
	return err
}
defer answer.Body.Close()
if answer.StatusCode != http.StatusOK {
	return errors.New(answer.Status)
}
document, err := io.ReadAll(answer.Body)
if err != nil {
	return err
}
return os.WriteFile("openapi.yaml", document, 0o644)
