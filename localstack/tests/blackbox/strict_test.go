package blackbox_test

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// strict is a client that knows the interface and nothing else: it sends no header and no
// member that the interface does not name, and takes none.
type strict struct {
	token string
	// user is sent by calls that act for a user.
	user string
}

// call makes a call that must succeed. The members of data are written as "name Type" or
// "name []Type", after testdata/interface.yaml; a lone "Type" is data itself.
func (c strict) call(t *testing.T, status int, method, path string, body any, members ...string) gjson.Result {
	t.Helper()
	r := request{method: method, path: path, header: map[string]string{"Authorization": "Bearer " + c.token, "X-User-Id": c.user}}
	if body != nil {
		r.body, r.header["Content-Type"] = toJSON(t, body), "application/json"
	}
	a := send(t, r)
	require.Equal(t, status, a.status, "%s: %s", path, a.body)
	assert.Equal(t, "application/json", a.header.Get("Content-Type"), path)
	fits(t, path, a.body, envelope(members))
	return gjson.ParseBytes(a.body)
}

// get reads data that is on one page.
func (c strict) get(t *testing.T, path string, members ...string) gjson.Result {
	t.Helper()
	whole := c.call(t, http.StatusOK, http.MethodGet, path, nil, members...)
	assert.Equal(t, "{}", whole.Get("meta.pagination").Raw, path)
	return whole.Get("data")
}

// post writes something, and reads data.
func (c strict) post(t *testing.T, status int, path string, body any, members ...string) gjson.Result {
	t.Helper()
	return c.call(t, status, http.MethodPost, path, body, members...).Get("data")
}

// pages reads a list of which the path limits the pages.
func (c strict) pages(t *testing.T, path string, limit int, member string) (all []gjson.Result) {
	t.Helper()
	name, _, _ := strings.Cut(member, " ")
	for next := ""; ; {
		page := c.call(t, http.StatusOK, http.MethodGet, path+next, nil, member)
		rows := page.Get("data." + name).Array()
		all = append(all, rows...)
		token := page.Get("meta.pagination.nextToken").String()
		if token == "" {
			assert.LessOrEqual(t, len(rows), limit, path)
			return all
		}
		assert.Len(t, rows, limit, path)
		next = "&nextToken=" + url.QueryEscape(token)
	}
}

// ref is a schema that is another one of testdata/interface.yaml.
func ref(name string) map[string]any { return map[string]any{"$ref": "#/$defs/" + name} }

// envelope is the schema of an answer with these members.
func envelope(members []string) map[string]any {
	data := map[string]any{}
	for _, m := range members {
		name, kind, found := strings.Cut(m, " ")
		element, isArray := strings.CutPrefix(kind, "[]")
		switch {
		case !found:
			return map[string]any{"properties": map[string]any{"data": ref(m), "meta": ref("Meta")}}
		case isArray:
			data[name] = map[string]any{"type": "array", "items": ref(element)}
		default:
			data[name] = ref(kind)
		}
	}
	return map[string]any{"properties": map[string]any{"data": map[string]any{"properties": data}, "meta": ref("Meta")}}
}

// fits checks a JSON text against a schema and those of testdata/interface.yaml.
func fits(t *testing.T, what string, text []byte, schema map[string]any) {
	t.Helper()
	source, err := os.ReadFile("testdata/interface.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(source, &schema))
	closed(schema)
	assert.NoError(t, valid(t, schema, text), what)
}

// valid checks a JSON text against a schema.
func valid(t *testing.T, schema any, text []byte) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("https://partner.example/schema", schema))
	compiled, err := c.Compile("https://partner.example/schema")
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err, string(text))
	return compiled.Validate(value)
}

// closed makes objects refuse members that they do not name, and need those that they do.
func closed(schema map[string]any) {
	if properties, ok := schema["properties"].(map[string]any); ok {
		schema["type"], schema["additionalProperties"] = "object", false
		if schema["required"] == nil {
			all := []any{}
			for name := range properties {
				all = append(all, name)
			}
			schema["required"] = all
		}
	}
	for name, part := range schema {
		if part, ok := part.(map[string]any); ok && name != "if" && name != "then" && name != "else" {
			closed(part)
		}
	}
}

// The whole journey of a partner who has read the interface only.
func TestStrictClient(t *testing.T) {
	t.Parallel()
	partner := strict{token: token(t, "sandbox", "identity pfm cancellation")}
	user := partner.post(t, http.StatusCreated, "/identity/v1/users",
		map[string]any{"externalId": uuid.NewString(), "countryCode": "DE", "languageCode": "de"}, "user User").Get("user.userId").String()
	for _, doc := range partner.get(t, "/identity/v1/terms", "terms []Terms").Get("terms").Array() {
		partner.post(t, http.StatusCreated, "/identity/v1/users/"+user+"/terms-acceptances",
			map[string]any{"termsType": doc.Get("termsType").String(), "version": doc.Get("version").String()},
			"termsAcceptance TermsAcceptance")
	}
	for name, area := range map[string]func(*testing.T, strict){
		"banking": strictBanking, "cancellation": strictCancellation, "notification": strictNotification,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			area(t, strict{token: partner.token, user: user})
		})
	}
}

// A bank is found and connected, and what is there is read and adds up.
func strictBanking(t *testing.T, c strict) {
	anyone := strict{token: c.token}
	const api = "/openbanking/v1"
	known := map[string]int64{}
	for _, country := range anyone.get(t, api+"/providers/countries", "countries []Country").Get("countries").Array() {
		known[country.Get("countryCode").String()] = country.Get("providerCount").Int()
	}
	everywhere := map[string]int64{}
	automatic := map[bool]int{}
	for _, bank := range anyone.pages(t, api+"/providers?limit=7", 7, "providers []Provider") {
		everywhere[bank.Get("countryCode").String()]++
		automatic[bank.Get("automaticFetch").Exists()]++
		_, err := time.LoadLocation(bank.Get("timezone").String())
		require.NoError(t, err)
	}
	assert.Equal(t, known, everywhere)
	assert.Len(t, automatic, 2, "some banks say automaticFetch")
	for _, bank := range anyone.pages(t, api+"/providers?countryCode=DE&limit=2", 2, "providers []Provider") {
		assert.Equal(t, "DE", bank.Get("countryCode").String())
		everywhere["DE"]--
	}
	assert.Zero(t, everywhere["DE"], "all banks of a country")
	found := anyone.get(t, api+"/providers?providerNameFilter=Lindenmark", "providers []Provider").Get("providers").Array()
	require.Len(t, found, 1)
	bank := found[0].Get("id").String()
	assert.JSONEq(t, found[0].Raw, anyone.get(t, api+"/providers/"+bank, "provider Provider").Get("provider").Raw)

	c.post(t, http.StatusCreated, api+"/clients", map[string]any{"countryCode": "DE", "languageCode": "de"}, "client Client")
	c.post(t, http.StatusCreated, api+"/connections", map[string]any{"providerId": bank}, "Link") // nothing else is required
	l := c.post(t, http.StatusCreated, api+"/connections", map[string]any{"providerId": bank, "returnUrl": returnURL}, "Link")
	id := l.Get("connectionId").String()
	to, err := url.Parse(l.Get("redirectUrl").String())
	require.NoError(t, err)
	assert.Equal(t, id, to.Query().Get("connectionId"))
	status, back := outcome(t, visit(t, to.String(), "anna", "approve"))
	assert.Equal(t, []string{"success", id}, []string{status, back})

	eventually(t, func() bool {
		info := c.get(t, api+"/accounts", "accounts []Account").Get("accounts.0.connectionInfo")
		return info.Get("isActive").Bool() && info.Get("lastSuccessAt").Time().Year() > 1
	}, patience, 100*time.Millisecond, "the accounts are never there")
	accounts := map[string]string{}
	for _, a := range c.pages(t, api+"/accounts?limit=2", 2, "accounts []Account") {
		assert.Equal(t, id, a.Get("connectionInfo.connectionId").String())
		longest := time.Now().AddDate(0, 0, int(found[0].Get("maxConsentDays").Int()))
		assert.WithinRange(t, a.Get("connectionInfo.consentExpiresAt").Time(), time.Now(), longest)
		accounts[a.Get("accountId").String()] = a.Get("accountName").String()
	}
	byCategory, byMerchant, seen := sums{}, sums{}, map[string]bool{}
	for _, row := range c.pages(t, api+"/transactions?limit=200", 200, "transactions []Transaction") {
		assert.False(t, seen[row.Get("id").String()], "a row is there twice")
		assert.Equal(t, accounts[row.Get("account.id").String()], row.Get("account.name").String())
		assert.True(t, strings.HasPrefix(row.Get("category.subcategoryName").String(), row.Get("category.categoryName").String()+"__"))
		for _, named := range []string{"id", "paymentType", "recordState", "recordType", "recurrenceFrequency"} {
			seen[row.Get(named).String()] = true
		}
		if row.Get("recordType").String() == "Expense" && row.Get("recordState").String() != "Void" {
			byCategory.add(row, "category.categoryId", 1)
			if row.Get("merchant.name").String() != "" {
				byMerchant.add(row, "merchant.id", 1)
			}
		}
	}
	for _, value := range []string{"DebitCard", "Cleared", "Expense", "Once"} {
		assert.True(t, seen[value], value)
	}
	insights := c.get(t, api+"/insights/categories?transactionType=Expense&categoryLevel=L1",
		"insights []CategoryInsight", "granularity text")
	assert.Equal(t, "alltime", insights.Get("granularity").String())
	byCategory.equal(t, insights, "category.id")
	insights = c.get(t, api+"/insights/merchants?granularity=daily&orderBy=amount&transactionType=Expense",
		"insights []MerchantInsight", "granularity text")
	assert.Equal(t, "daily", insights.Get("granularity").String())
	byMerchant.equal(t, insights, "merchant.id")
	assert.True(t, slices.IsSortedFunc(insights.Get("insights").Array(), func(a, b gjson.Result) int {
		return cmp.Compare(math.Abs(b.Get("amount").Float()), math.Abs(a.Get("amount").Float()))
	}))
}

// sums are amounts and numbers of transactions by group and currency.
type sums map[string][2]*big.Rat

func (s sums) add(row gjson.Result, group string, number int64) {
	amount, _ := new(big.Rat).SetString(row.Get("amount").Raw)
	key := row.Get(group).String() + " " + row.Get("currencyCode").String()
	if s[key][0] == nil {
		s[key] = [2]*big.Rat{{}, {}}
	}
	s[key][0].Add(s[key][0], amount)
	s[key][1].Add(s[key][1], big.NewRat(number, 1))
}

// equal checks that insights, which may be of days, add up to the sums.
func (s sums) equal(t *testing.T, insights gjson.Result, group string) {
	t.Helper()
	got := sums{}
	for _, i := range insights.Get("insights").Array() {
		got.add(i, group, i.Get("numberOfTransactions").Int())
	}
	assert.Len(t, got, len(s), group)
	for key, want := range s {
		assert.Equal(t, want, got[key], key)
	}
}

// A contract is found and cancelled with values that know only the formats.
func strictCancellation(t *testing.T, c strict) {
	anyone := strict{token: c.token}
	const api = "/cancellations/v1"
	categories := map[string]bool{}
	for _, category := range anyone.get(t, api+"/categories", "categories []Category").Get("categories").Array() {
		categories[category.Get("id").String()] = true
	}
	found := anyone.get(t, api+"/search?searchQuery=Nur+E-Mail",
		"organizations []Organization", "products []Product").Get("organizations.0")
	category := found.Get("categoryId").String()
	assert.True(t, categories[category])
	same := anyone.pages(t, api+"/organizations?locale=de-DE&limit=4&categoryId="+category, 4, "organizations []Organization")
	for _, o := range same {
		assert.Equal(t, category, o.Get("categoryId").String())
		assert.Contains(t, o.Get("locales").String(), `"de-DE"`)
	}
	assert.True(t, slices.ContainsFunc(same, func(o gjson.Result) bool { return o.Raw == found.Raw }))

	products := api + "/organizations/" + found.Get("id").String() + "/products"
	product := anyone.get(t, products, "products []Product").Get("products.0.productId").String()
	template := anyone.get(t, products+"/"+product, "product ProductWithTemplate").Get("product.template").Array()
	keys := []string{}
	for _, f := range template {
		keys = append(keys, f.Get("fieldKey").String())
	}
	assert.Subset(t, keys, []string{"ADDRESS", "CITY", "DATA_DELETE_REQUEST", "EMAIL", "NAME", "ZIP"})
	asked := map[string]bool{}
	for seed := range 4 { // contracts of their own, because their values differ
		parameters, name := []any{}, uuid.NewString()
		for _, f := range template {
			value := rapid.StringMatching(f.Get("format").String()).Example(seed)
			parameters = append(parameters, map[string]any{"fieldKey": f.Get("fieldKey").String(), "fieldValue": value})
		}
		c.post(t, http.StatusCreated, api+"/cancellations", map[string]any{
			"externalCancellationRequestIdentifier": name, "organizationId": found.Get("id").String(), "productId": product,
			"locale": "de-DE", "parameters": parameters, "signature": map[string]any{"data": "Anna Sommer", "type": "TEXT"},
		}, "cancellation Cancellation")
		asked[name] = true
	}
	eventually(t, func() bool {
		got := c.get(t, api+"/cancellations", "cancellations []Cancellation").Get("cancellations")
		names := map[string]bool{}
		for _, one := range got.Array() {
			names[one.Get("externalCancellationRequestIdentifier").String()] = true
		}
		assert.Equal(t, asked, names)
		return len(got.Get(`#(status=="Delivered")#`).Array()) == len(asked)
	}, patience, 100*time.Millisecond, "the letters never arrive")
}

// A receiver is told of an event, and acknowledges it in time.
func strictNotification(t *testing.T, c strict) {
	hooks := strict{token: token(t, "sandbox", "webhook")}
	r := newReceiver(t, nil)
	const expired = "connection.expired"
	made := hooks.post(t, http.StatusCreated, webhookSubscriptions, map[string]any{"serverUrl": r.url, "events": []string{expired}},
		"subscription Subscription", "secret Secret")
	id := made.Get("subscription.subscriptionId").String()
	path := webhookSubscriptions + "/" + id
	newer := hooks.post(t, http.StatusCreated, path+"/secrets", nil, "secret Secret")
	r.trust(newer.Get("secret.key").String())
	close(r.ready)
	set := func(method, path string, body map[string]any) {
		hooks.call(t, http.StatusOK, method, path, body, "subscription Subscription")
	}
	set(http.MethodPatch, path, map[string]any{"events": []string{expired, "connection.expiring"}})
	set(http.MethodPut, path+"/status", map[string]any{"status": "Paused"})
	set(http.MethodPut, path+"/status", map[string]any{"status": "Active"})
	assert.Equal(t, "Active", hooks.get(t, path, "subscription Subscription").Get("subscription.status").String())

	told := hooks.post(t, http.StatusAccepted, "/webhooks/v1/events",
		map[string]any{"eventType": expired, "subscriptionId": id, "userId": c.user}, "event Event")
	got := r.await(t, expired, event(told.Get("event.eventId").String()))
	fits(t, expired, got.body, ref("Callback"))
	assert.Equal(t, []string{expired, c.user}, []string{got.EventType, *got.UserID})
	var tried gjson.Result
	eventually(t, func() bool {
		tried = hooks.get(t, path+"/attempts", "attempts []Attempt").Get("attempts.0")
		return tried.Exists()
	}, patience, 50*time.Millisecond, "no attempt is listed")
	assert.Equal(t, "Acknowledged", tried.Get("outcome").String())
	assert.Less(t, tried.Get("durationMs").Int(), time.Minute.Milliseconds())
	assert.Equal(t, http.StatusNoContent, send(t, request{
		method: http.MethodDelete, path: path, header: map[string]string{"Authorization": "Bearer " + hooks.token},
	}).status)
}
