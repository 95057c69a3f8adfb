package blackbox_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const cancellations = "/cancellations/v1/cancellations"

type organization struct {
	ID, CategoryID, Name string
	ExtraConsent         bool
	Locales              []string
}

// product is one that can be cancelled, with its template.
type product struct {
	ProductID, OrganizationID, Name string
	Template                        []struct{ FieldKey, Label, Format, Example string }
}

type cancellation struct {
	CancellationID, OrganizationID, ProductID string
	ExternalID                                string `json:"externalCancellationRequestIdentifier"`
	Channel, Status, StatusReason, EndDate    string
	LetterSHA256, TrackingNumber              string
	CreatedAt, UpdatedAt                      time.Time
	History                                   []struct {
		Status string
		At     time.Time
	}
}

// steps are the states that a cancellation has been in.
func (c cancellation) steps() string {
	var all []string
	for _, s := range c.History {
		all = append(all, s.Status)
	}
	return strings.Join(all, " ")
}

// product is the first product of the organization that a search finds first.
func (p partner) product(t *testing.T, name string) product {
	t.Helper()
	return p.productIn(t, "en-GB", name)
}

// productIn is product in another locale.
func (p partner) productIn(t *testing.T, locale, name string) product {
	t.Helper()
	var found struct {
		Data struct{ Organizations []organization }
	}
	eventually(t, func() bool { // while the stack imports its catalogue, a search finds nothing or answers 503
		a := p.send(t, http.MethodGet, "/cancellations/v1/search?locale="+locale+"&searchQuery="+url.QueryEscape(name), nil)
		a.decode(t, &found)
		return len(found.Data.Organizations) > 0
	}, patience, time.Second, name)
	require.Equal(t, name, found.Data.Organizations[0].Name)
	address := "/cancellations/v1/organizations/" + found.Data.Organizations[0].ID + "/products"
	var list struct {
		Data struct{ Products []product }
	}
	p.send(t, http.MethodGet, address+"?locale="+locale, nil).decode(t, &list)
	require.NotEmpty(t, list.Data.Products, name)
	var one struct {
		Data struct{ Product product }
	}
	p.send(t, http.MethodGet, address+"/"+list.Data.Products[0].ProductID+"?locale="+locale, nil).decode(t, &one)
	require.NotEmpty(t, one.Data.Product.Template)
	return one.Data.Product
}

// letterTo returns a request to cancel, with the template filled in.
func letterTo(c product) map[string]any {
	values := map[string]string{
		"NAME":                "Anna Sommer",
		"ADDRESS":             "Lindenallee 12",
		"ZIP":                 "50667",
		"CITY":                "Köln",
		"EMAIL":               "anna.sommer@example.org",
		"DATA_DELETE_REQUEST": "true",
		// Fourteen digits in France.
		"DELIVERY_POINT_NUMBER": "01234567890123",
	}
	parameters := []any{}
	for _, f := range c.Template {
		value, known := values[f.FieldKey]
		if !known {
			value = cmp.Or(f.Example, "K-204817")
		}
		parameters = append(parameters, map[string]any{"fieldKey": f.FieldKey, "fieldValue": value})
	}
	return map[string]any{
		"organizationId": c.OrganizationID, "productId": c.ProductID, "locale": "en-GB", "parameters": parameters,
		"signature": map[string]any{"type": "TEXT", "data": "Anna Sommer"},
	}
}

// cancel sends a request that must succeed.
func (p partner) cancel(t *testing.T, body map[string]any) cancellation {
	t.Helper()
	a := p.send(t, http.MethodPost, cancellations, body)
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	return a.cancellation(t)
}

func (a answer) cancellation(t *testing.T) cancellation {
	t.Helper()
	var out struct {
		Data struct{ Cancellation cancellation }
	}
	a.decode(t, &out)
	return out.Data.Cancellation
}

func (p partner) cancellation(t *testing.T, id string) cancellation {
	t.Helper()
	a := p.send(t, http.MethodGet, cancellations+"/"+id, nil)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	return a.cancellation(t)
}

// untilCancellation reads the cancellation until it is as wanted.
func (p partner) untilCancellation(t *testing.T, id string, wanted func(cancellation) bool) cancellation {
	t.Helper()
	var c cancellation
	eventually(t, func() bool {
		c = p.cancellation(t, id)
		return wanted(c)
	}, 2*patience, 100*time.Millisecond, "the cancellation never came to be as wanted")
	return c
}

// stands returns a condition that is true once a cancellation has the status.
func stands(status string) func(cancellation) bool {
	return func(c cancellation) bool { return c.Status == status }
}

type draft struct {
	Channel, Locale, SHA256 string
	PDF                     []byte
}

// dryRun is the letter that a request would make.
func (p partner) dryRun(t *testing.T, body map[string]any) draft {
	t.Helper()
	a := p.send(t, http.MethodPost, cancellations+"?dryRun=true", body)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	var out struct{ Data struct{ Letter draft } }
	a.decode(t, &out)
	return out.Data.Letter
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// listCancellations reads all pages of a list.
func (p partner) listCancellations(t *testing.T, query string) []cancellation {
	t.Helper()
	all := []cancellation{}
	for next := ""; ; {
		var out struct {
			Data struct{ Cancellations []cancellation }
			Meta struct{ Pagination struct{ NextToken string } }
		}
		a := p.send(t, http.MethodGet, cancellations+"?"+query+"&nextToken="+next, nil)
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		a.decode(t, &out)
		all = append(all, out.Data.Cancellations...)
		if next = out.Meta.Pagination.NextToken; next == "" {
			return all
		}
	}
}

type mail struct {
	From, Subject string
	ReplyTo       []string
	Destination   struct{ To []string }
	Body          struct{ Text string }
	Attachments   []struct {
		Filename, ContentType string
		Content               []byte
	}
}

// inbox is all mail that functions have sent.
func inbox(t *testing.T) []mail {
	t.Helper()
	var store struct{ Emails []mail }
	send(t, request{method: http.MethodGet, path: noted(t, "inbox") + "/store"}).decode(t, &store)
	return store.Emails
}

// mailWith is the mail that a letter is attached to.
func mailWith(t *testing.T, sha256 string) mail {
	t.Helper()
	for _, m := range inbox(t) {
		if len(m.Attachments) == 1 && sha(m.Attachments[0].Content) == sha256 {
			return m
		}
	}
	require.Fail(t, "the inbox does not have the letter")
	return mail{}
}

// reply gives an organization's answer on the page of the sandbox.
func reply(t *testing.T, cancellationID, answer string) answer {
	t.Helper()
	return browse(t, http.MethodPost, service.baseURL+"/sandbox/replies", url.Values{"cancellation": {cancellationID}, "answer": {answer}})
}

type carrierLetter struct{ ID, Href, File, How, State, Subject, CancellationID string }

// atCarriers are the letters of a cancellation that the sandbox's post office and fax
// gateway have.
func atCarriers(t *testing.T, cancellationID string) []carrierLetter {
	t.Helper()
	return slices.DeleteFunc(wentOut(t, cancellationID), func(l carrierLetter) bool { return l.How == "Email" })
}

// wentOut is what the sandbox lists of a cancellation.
func wentOut(t *testing.T, cancellationID string) []carrierLetter {
	t.Helper()
	found := []carrierLetter{}
	for path := "/sandbox/letters"; path != ""; {
		var page struct {
			Letters []carrierLetter
			Next    string
		}
		a := send(t, request{method: http.MethodGet, path: service.baseURL + path, header: map[string]string{"Accept": "application/json"}})
		require.NoError(t, json.Unmarshal(a.body, &page), string(a.body))
		for _, l := range page.Letters {
			if l.CancellationID == cancellationID {
				found = append(found, l)
			}
		}
		path = page.Next
	}
	return found
}
