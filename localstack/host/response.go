package host

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/aws/aws-lambda-go/events"
)

// writeAnswer writes a function's response. It writes nothing if API Gateway would reject
// the response.
func writeAnswer(w http.ResponseWriter, answer []byte) (status int, err error) {
	if len(answer) > maxAnswer {
		return 0, fmt.Errorf("the response has %d bytes; Lambda allows %d", len(answer), maxAnswer)
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		return 0, fmt.Errorf("read the function's response: %w", err)
	}
	if response.StatusCode < 100 || response.StatusCode > 599 {
		return 0, fmt.Errorf("the function returned status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(response.Body); err != nil {
			return 0, fmt.Errorf("the function's body is not base64: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		header.Set(name, value)
	}
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	// If the client has gone, the function has not failed.
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body)
	return response.StatusCode, nil
}
