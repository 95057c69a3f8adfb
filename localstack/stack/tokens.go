package stack

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// tokens remembers the answers to transactions, for callers that try again. dynoxide would do so, too,
// but in each transaction it looks at all tokens of the last ten minutes, so it gets none. It is not
// known whether a call was executed that failed on its way to dynoxide.
type tokens struct{ answers sync.Map } // of func() (answer, error), by token

var clientToken = regexp.MustCompile(`"ClientRequestToken":"[^"]*",`)

type answer struct {
	status int
	header http.Header // of a refusal, which may name the error
	body   []byte
}

// client returns a client that passes each transaction on once.
func (t *tokens) client(service aws.HTTPClient) aws.HTTPClient {
	return smithyhttp.ClientDoFunc(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
			return service.Do(r)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		token := string(clientToken.Find(body))
		body = bytes.Replace(body, []byte(token), nil, 1)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if token == "" {
			return service.Do(r)
		}
		commit, _ := t.answers.LoadOrStore(token, sync.OnceValues(func() (answer, error) {
			a, err := pass(service, r)
			if err != nil || a.status != http.StatusOK {
				t.answers.Delete(token)
			} else {
				time.AfterFunc(20*time.Second, func() { t.answers.Delete(token) }) // no caller tries for longer
			}
			return a, err
		}))
		a, err := commit.(func() (answer, error))()
		return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body))}, err
	})
}

func pass(service aws.HTTPClient, r *http.Request) (a answer, err error) {
	res, err := service.Do(r)
	if err != nil {
		return a, err
	}
	defer func() { _ = res.Body.Close() }()
	a.status = res.StatusCode
	if a.status != http.StatusOK {
		a.header = res.Header
	}
	a.body, err = io.ReadAll(res.Body)
	return a, err
}
