package bank_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPageWithoutAccountsOffersToGoBack(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	_, page := p.Request(t, strings.Replace(ConsentBody, `"allPsd2":"allAccounts"`, `"accounts":[{"iban":"DE02100100109307118603"}]`, 1))
	res := p.Post(t, page, url.Values{"persona": {"anna"}, "decision": {"approve"}})
	assert.Equal(t, 422, res.StatusCode)
	_, elements := fit(t, res)
	assert.Len(t, find(elements, "div", "role", "alert"), 1)
	assert.Len(t, find(elements, "button", "value", "refuse"), 1)
}
