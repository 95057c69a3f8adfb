package collection

// Collection is a Postman collection in version 2.1 of the format.
type Collection struct {
	Info     info       `json:"info"`
	Item     []folder   `json:"item"`
	Auth     *auth      `json:"auth"`
	Event    []event    `json:"event"`
	Variable []variable `json:"variable"`
}

type info struct {
	ID          string `json:"_postman_id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"`
}

type folder struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Item        []item `json:"item"`
}

type item struct {
	ID       string    `json:"id,omitempty"` // the operation's
	Name     string    `json:"name"`
	Request  request   `json:"request"`
	Event    []event   `json:"event,omitempty"`
	Response []any     `json:"response"`
	Behavior *behavior `json:"protocolProfileBehavior,omitempty"`
}

type behavior struct {
	FollowRedirects bool `json:"followRedirects"`
}

type request struct {
	Method      string  `json:"method"`
	URL         address `json:"url"`
	Description string  `json:"description,omitempty"`
	Header      []field `json:"header"`
	Body        *body   `json:"body,omitempty"`
	Auth        *auth   `json:"auth,omitempty"`
}

type address struct {
	Raw   string   `json:"raw"`
	Host  []string `json:"host"`
	Path  []string `json:"path,omitempty"`
	Query []field  `json:"query,omitempty"`
}

// field is a header, a query parameter or a field of a form.
type field struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"`
}

type body struct {
	Mode    string         `json:"mode"`
	Raw     string         `json:"raw,omitempty"`
	Form    []field        `json:"urlencoded,omitempty"`
	Options map[string]any `json:"options,omitempty"`
}

type auth struct {
	Type   string     `json:"type"`
	Bearer []variable `json:"bearer,omitempty"`
	Basic  []variable `json:"basic,omitempty"`
}

type event struct {
	Listen string `json:"listen"`
	Script script `json:"script"`
}

type script struct {
	Type string   `json:"type"`
	Exec []string `json:"exec"`
}

type variable struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
}
