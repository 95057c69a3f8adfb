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

// tokens remembers the answers to transactions, for callers that retry. dynoxide could do that, but it searches all
// tokens of the last ten minutes in each transaction, so it gets none. If a call fails on its way to dynoxide, it is
// unknown whether it was executed.
type tokens struct{ answers sync.Map } // of func() (answer, error), by token

var clientToken = regexp.MustCompile(`"ClientRequestToken":"[^"]*",`)

type answer struct {
	status int
	header http.Header // a refusal's header may name the error
	body   []byte
}

// client returns a client that passes on each transaction only once.
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
				time.AfterFunc(20*time.Second, func() { t.answers.Delete(token) }) // no caller retries for longer
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
