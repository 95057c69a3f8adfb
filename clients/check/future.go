package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
)

// later is a value that no enum of today's document has.
const later = "AddedLater"

// amounts are what a client that takes binary fractions gets wrong first.
func amounts() []json.Number {
	return []json.Number{"1234567.89", "0.1", "-1652.07", "99999999999.99"}
}

// future answers as the service may one day: with members and values of enums that the
// document does not have. The first transactions of a list get difficult amounts.
func future(stack *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(stack)
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(resp *http.Response) error {
			if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
				return nil
			}
			var body map[string]any
			numbers := json.NewDecoder(resp.Body)
			numbers.UseNumber()
			if err := numbers.Decode(&body); err != nil {
				return err
			}
			grow(body)
			text, err := json.Marshal(body)
			if err != nil {
				return err
			}
			resp.Body = io.NopCloser(bytes.NewReader(text))
			resp.ContentLength = int64(len(text))
			resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return nil
		},
	}
}

func grow(node any) {
	difficult := amounts()
	switch n := node.(type) {
	case []any:
		for i, element := range n {
			grow(element)
			if row, isObject := element.(map[string]any); isObject && row["recordState"] != nil && i < len(difficult) {
				row["amount"] = difficult[i]
			}
		}
	case map[string]any:
		for name, child := range n {
			switch name {
			case "connectionStatus", "accountType", "recordState", "recordType", "paymentType", "recurrenceFrequency":
				n[name] = later
			default:
				grow(child)
			}
		}
		n["addedLater"] = map[string]any{"deep": []int{1}}
	}
}
