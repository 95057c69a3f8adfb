package api

// Response is a successful response: its status and its enveloped body.
type Response[D any] struct {
	Status int
	Body   Envelope[D]
}

// Envelope is the body of every JSON response that is not an error.
type Envelope[D any] struct {
	Data D    `json:"data"`
	Meta Meta `json:"meta"`
}

// Meta is part of every response.
type Meta struct {
	Pagination Pagination `json:"pagination"`
}

// Pagination has the token of the next page, or "" on the last page.
type Pagination struct {
	NextToken string `json:"nextToken,omitempty"`
}

// Empty is the data of an operation that returns no data.
type Empty struct{}

// OK returns a 200 with data.
func OK[D any](data D) *Response[D] { return With(200, data) }

// Result returns a 200 with data, or the error if there is one.
func Result[D any](data D, err error) (*Response[D], error) {
	if err != nil {
		return nil, err
	}
	return OK(data), nil
}

// With returns a successful response with another status.
func With[D any](status int, data D) *Response[D] {
	return &Response[D]{Status: status, Body: Envelope[D]{Data: data}}
}

// PageOf returns a 200 with one page of a list and the token of the next page.
func PageOf[D any](data D, nextToken string) *Response[D] {
	r := OK(data)
	r.Body.Meta.Pagination.NextToken = nextToken
	return r
}

// List converts items. The result is never nil, so JSON has [] and not null.
func List[In, Out any](items []In, convert func(In) Out) []Out {
	out := make([]Out, 0, len(items))
	for _, item := range items {
		out = append(out, convert(item))
	}
	return out
}
