package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda/messages"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// alone is a function that nothing but an invocation reaches.
const alone = `
Resources:
  OperatorFunction:
    Type: AWS::Serverless::Function
    Properties: { Timeout: 1 }
`

type event struct{ Name string }

// ownError is an error with a name of its own.
type ownError struct{}

func (*ownError) Error() string { return "own" }

func invocation(name, kind, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/2015-03-31/functions/"+name+"/invocations", strings.NewReader(body))
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260301/eu-central-1/lambda/aws4_request, Signature=0")
	if kind != "" {
		r.Header.Set("X-Amz-Invocation-Type", kind)
	}
	return r
}

func invoke(t *testing.T, handler any, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	h, _ := start(t, options(t, parse(t, alone), map[string]any{"OperatorFunction": handler}))
	w := httptest.NewRecorder()
	h.Invocations().ServeHTTP(w, r)
	return w
}

func TestInvocations(t *testing.T) {
	greet := func(_ context.Context, e event) (string, error) { return "hello " + e.Name, nil }

	for _, name := range []string{
		"operator", "operator:$LATEST", "000000000000:function:operator",
		"arn%3Aaws%3Alambda%3Aeu-central-1%3A000000000000%3Afunction%3Aoperator",
	} {
		t.Run("RequestResponse gives the answer of "+name, func(t *testing.T) {
			w := invoke(t, greet, invocation(name, "", `{"Name":"Anna"}`))
			assert.Equal(t, 200, w.Code)
			assert.Equal(t, `"hello Anna"`, w.Body.String())
			assert.Equal(t, "$LATEST", w.Header().Get("X-Amz-Executed-Version"))
			assert.Empty(t, w.Header().Get("X-Amz-Function-Error"))
		})
	}

	t.Run("the function sees the request id of the answer", func(t *testing.T) {
		w := invoke(t, func(ctx context.Context) (string, error) {
			c, _ := lambdacontext.FromContext(ctx)
			return c.AwsRequestID, nil
		}, invocation("operator", "RequestResponse", ""))
		var got string
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		assert.NotEmpty(t, got)
		assert.Equal(t, w.Header().Get("X-Amzn-Requestid"), got)
	})

	t.Run("no payload is an empty object", func(t *testing.T) {
		w := invoke(t, func(_ context.Context, e json.RawMessage) (string, error) { return string(e), nil }, invocation("operator", "", ""))
		assert.Equal(t, `"{}"`, w.Body.String())
	})

	for name, tc := range map[string]struct {
		handler any
		want    messages.InvokeResponse_Error
	}{
		"an error":            {func() error { return errors.New("broken") }, messages.InvokeResponse_Error{Message: "broken", Type: "errorString"}},
		"an error of its own": {func() error { return &ownError{} }, messages.InvokeResponse_Error{Message: "own", Type: "ownError"}},
		"a panic":             {func() { panic("broken") }, messages.InvokeResponse_Error{Message: "broken", Type: "string"}},
		"an error of the runtime": {func() error {
			return messages.InvokeResponse_Error{Message: "told", Type: "Given"}
		}, messages.InvokeResponse_Error{Message: "told", Type: "Given"}},
		"an answer over 6 MB": {
			func() (string, error) { return strings.Repeat("x", maxAnswer), nil },
			messages.InvokeResponse_Error{
				Message: "Response payload size exceeded maximum allowed payload size (6291556 bytes).",
				Type:    "Function.ResponseSizeTooLarge",
			},
		},
	} {
		t.Run(name+" is reported in the format of the runtime", func(t *testing.T) {
			w := invoke(t, tc.handler, invocation("operator", "", ""))
			assert.Equal(t, 200, w.Code)
			assert.Equal(t, "Unhandled", w.Header().Get("X-Amz-Function-Error"))
			var got messages.InvokeResponse_Error
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
			assert.Equal(t, tc.want, got)
		})
	}

	t.Run("a time-out is told, too", func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		w := invoke(t, func() { <-release }, invocation("operator", "", ""))
		var got messages.InvokeResponse_Error
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		assert.Equal(t, "Sandbox.Timedout", got.Type)
		assert.Equal(t, "RequestId: "+w.Header().Get("X-Amzn-Requestid")+" Error: Task timed out after 1s", got.Message)
	})

	unsigned := invocation("operator", "", "")
	unsigned.Header.Del("Authorization")
	for name, tc := range map[string]struct {
		request *http.Request
		status  int
		code    string
	}{
		"an unknown function":           {invocation("other", "", ""), 404, "ResourceNotFoundException"},
		"a request without a signature": {unsigned, 403, "MissingAuthenticationTokenException"},
		"a payload that is not JSON":    {invocation("operator", "", "{"), 400, "InvalidRequestContentException"},
		"an unknown type":               {invocation("operator", "Event", ""), 400, "InvalidParameterValueException"},
		"a payload over 6 MB":           {invocation("operator", "", `"`+strings.Repeat("x", maxEvent)+`"`), 413, "RequestTooLargeException"},
	} {
		t.Run(name+" is refused as by Lambda", func(t *testing.T) {
			called := false
			w := invoke(t, func() { called = true }, tc.request)
			assert.Equal(t, tc.status, w.Code)
			assert.Equal(t, tc.code, w.Header().Get("X-Amzn-Errortype"))
			assert.False(t, called)
		})
	}

	t.Run("a body that breaks off is refused", func(t *testing.T) {
		r := invocation("operator", "", "")
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), brokenReader{}))
		assert.Equal(t, 400, invoke(t, func() {}, r).Code)
	})

	t.Run("a stopped host takes none", func(t *testing.T) {
		h, stop := start(t, options(t, parse(t, alone), map[string]any{"OperatorFunction": func() {}}))
		stop()
		w := httptest.NewRecorder()
		h.Invocations().ServeHTTP(w, invocation("operator", "", ""))
		assert.Equal(t, 503, w.Code)
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestBytes is about bodies that are not text: letters as PDF, pictures, forms.
func TestBytes(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	pdf := "%PDF-1.7\n" + string(every) + "\n%%EOF\n"
	form := "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n" + pdf + "\r\n--x--\r\n"
	var got events.APIGatewayV2HTTPRequest
	h, _ := start(
		t,
		options(
			t,
			parse(t, oneRoute),
			map[string]any{"F": func(_ context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
				got = e
				return events.APIGatewayV2HTTPResponse{
					StatusCode: 200, Body: e.Body, IsBase64Encoded: e.IsBase64Encoded,
					Headers: map[string]string{"content-type": e.Headers["content-type"]},
				}, nil
			}},
		),
	)
	server := httptest.NewServer(h)
	defer server.Close()
	for contentType, body := range map[string]string{
		"application/pdf": pdf, "multipart/form-data; boundary=x": form, "image/png": string(every),
	} {
		t.Run(contentType+" goes to the function and back byte for byte", func(t *testing.T) {
			response, err := http.Post(server.URL+"/a/b", contentType, strings.NewReader(body))
			require.NoError(t, err)
			defer response.Body.Close()
			answer, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			assert.True(t, got.IsBase64Encoded)
			assert.Equal(t, body, string(answer))
			assert.Equal(t, contentType, response.Header.Get("Content-Type"))
		})
	}
}
