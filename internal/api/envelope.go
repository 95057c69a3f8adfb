package api

// Response is a success: its status, and the body every answer has.
type Response[D any] struct {
	Status int
	Body   Envelope[D]
}

// Envelope is the body of every JSON answer that is not an error.
type Envelope[D any] struct {
	Data D    `json:"data" doc:"Holds one named member."`
	Meta Meta `json:"meta"`
}

// Meta goes with every answer.
type Meta struct {
	Pagination Pagination `json:"pagination"`
}

// Pagination tells of a further page; it is empty when there is none.
type Pagination struct {
	NextToken string `json:"nextToken,omitempty" doc:"Opaque; pass it as the query parameter nextToken for the following page. Valid for 24 hours, for the same user and filters." example:"kq3Vt0bS7mC1yQ"`
}

// Empty is the answer of an operation that has nothing to say.
type Empty struct{}

// OK is a 200 with its data.
func OK[D any](data D) *Response[D] { return With(200, data) }

// With is a success of another status with its data.
func With[D any](status int, data D) *Response[D] {
	return &Response[D]{Status: status, Body: Envelope[D]{Data: data}}
}

// PageOf is a 200 with one page of a list and the token of the following one.
func PageOf[D any](data D, nextToken string) *Response[D] {
	r := OK(data)
	r.Body.Meta.Pagination.NextToken = nextToken
	return r
}

// List is items, or an empty list where there are none: never null.
func List[In, Out any](items []In, convert func(In) Out) []Out {
	out := make([]Out, 0, len(items))
	for _, item := range items {
		out = append(out, convert(item))
	}
	return out
}
