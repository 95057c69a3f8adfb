package blackbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever a user has done, no row of any table names them once they are erased.
func TestNothingNamesAnErasedUser(t *testing.T) {
	p := newPartner(t, "sandbox")
	var u struct {
		Data struct{ User struct{ ExternalID string } }
	}
	p.send(t, http.MethodGet, "/identity/v1/users/"+p.user, nil).decode(t, &u)
	require.NotEmpty(t, u.Data.User.ExternalID)
	well, failing := newReceiver(t, nil), newReceiver(t, answering(http.StatusInternalServerError, ""))
	p.subscribe(t, well, "*")
	given, _ := p.subscribe(t, failing, "cancellation.delivered")

	p.connected(t, "lindenmark")
	p.connected(t, "lindenmark") // takes the accounts over
	require.NotEmpty(t, p.transactions(t, "200"))
	p.connect(t, p.bank(t, "lindenmark").ID) // a link that nobody has opened
	texts := []string{p.user, u.Data.User.ExternalID, "MY OWN " + uuid.NewString()}
	p.paid(t, p.accounts(t)[0].AccountID, texts[2], "-1.00", time.Now().UTC())
	res, err := signedIn(t, p.id).PostForm(service.baseURL+"/console/webhooks/"+u.Data.User.ExternalID+"/pause", nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	for _, name := range []string{"Nur Fax", "Nur Post", "Nur E-Mail", "Bounce GmbH"} {
		a := p.send(t, http.MethodPost, cancellations, letterTo(p.product(t, name)), "Idempotency-Key", uuid.NewString())
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
		id := a.cancellation(t).CancellationID
		if texts = append(texts, id); name == "Nur Fax" || name == "Nur E-Mail" {
			p.untilCancellation(t, id, stands("Delivered"))
		}
		if name == "Nur E-Mail" {
			address, text := p.replyAddress(t, id), "About "+uuid.NewString()
			p.deliver(t, mailTo(address, "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nWe need your customer number. "+text+
				"\n--x\nContent-Type: application/pdf; name=x.pdf\n\n%PDF "+text+"\n--x--\n"))
			reply := p.replies(t, id)[0].ReplyID
			answer := map[string]any{"parameters": []map[string]any{{"fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-1"}}}
			a := p.send(t, http.MethodPost, cancellations+"/"+id+"/replies/"+reply+"/answer", answer)
			require.Equal(t, http.StatusCreated, a.status, string(a.body))
			token, _, _ := strings.Cut(strings.TrimPrefix(address, "c-"), "@")
			texts = append(texts, text, token, reply)
		}
	}
	p.untilAttempts(t, given, 3) // given up
	p.send(t, http.MethodPost, "/webhooks/v1/events", map[string]any{"eventType": "connection.expiring", "userId": p.user})
	assert.Contains(t, strings.Join(naming(t, p.user), "\n"), " A#", "attempts have what was sent")

	a := p.send(t, http.MethodDelete, "/identity/v1/users/"+p.user, nil)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	var out struct {
		Data struct {
			Erasure struct{ ErasureID, Status string }
		}
	}
	a.decode(t, &out)
	late := p.send(t, http.MethodPost, cancellations, letterTo(p.product(t, "Nur Fax")), "Idempotency-Key", uuid.NewString())
	assert.Equal(t, http.StatusNotFound, late.status, string(late.body))
	requestedLongAgo(t, out.Data.Erasure.ErasureID)
	eventually(t, func() bool {
		keepHouse(t)
		p.send(t, http.MethodGet, "/identity/v1/erasures/"+out.Data.Erasure.ErasureID, nil).decode(t, &out)
		return out.Data.Erasure.Status == "Completed"
	}, 4*patience, 5*time.Second, "the erasure does not end")
	well.await(t, "user.erased", about(p, "user.erased"))

	var left []string
	assert.Eventually(t, func() bool { // the delivery of user.erased itself names the user until it is acknowledged
		left = naming(t, texts...)
		return len(left) == 0
	}, patience, time.Second)
	assert.Empty(t, left)
}

// naming returns the rows of all tables that contain one of the texts.
func naming(t *testing.T, texts ...string) []string {
	t.Helper()
	db := tables(t)
	all, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	require.Greater(t, len(all.TableNames), 5)
	var found []string
	for _, table := range all.TableNames {
		pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{TableName: &table, ConsistentRead: new(true)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			require.NoError(t, err)
			for _, item := range page.Items {
				if contains(&types.AttributeValueMemberM{Value: item}, texts) {
					found = append(found, fmt.Sprintf("%s %s %s", table, text(item["pk"]), text(item["sk"])))
				}
			}
		}
	}
	return found
}

func text(v types.AttributeValue) string {
	s, _ := v.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// contains reports whether one of the texts is anywhere in an attribute. Formatting the
// rows of all tests as text would take ten times as long.
func contains(v types.AttributeValue, texts []string) bool {
	has := func(s string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(s, text) })
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return has(v.Value)
	case *types.AttributeValueMemberB:
		return has(string(v.Value))
	case *types.AttributeValueMemberSS:
		return slices.ContainsFunc(v.Value, has)
	case *types.AttributeValueMemberBS:
		return slices.ContainsFunc(v.Value, func(b []byte) bool { return has(string(b)) })
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(v.Value, func(e types.AttributeValue) bool { return contains(e, texts) })
	case *types.AttributeValueMemberM:
		for name, e := range v.Value {
			if has(name) || contains(e, texts) {
				return true
			}
		}
	}
	return false
}
