package console

const sandboxPath = Path + "/sandbox"

func (c *Console) showSandbox(call *Call) (Answer, error) {
	page := pageOf("sandbox")
	page.Find = formOf("findClock", clockPath, call.URL.Query())
	page.More = tableOf("people")
	return page, nil
}
