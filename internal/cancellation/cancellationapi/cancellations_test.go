package cancellationapi_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/owner"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/cancellationtest"
)

// body returns the request of cancellationtest as a partner sends it.
func body(slug string) map[string]any {
	r := cancellationtest.Request(slug)
	var parameters []any
	for _, p := range r.Parameters {
		parameters = append(parameters, map[string]any{"fieldKey": p.Key, "fieldValue": p.Value})
	}
	return map[string]any{
		"organizationId": r.OrganizationID, "productId": r.ProductID, "locale": string(r.Locale), "parameters": parameters,
		"signature": map[string]any{"type": "TEXT", "data": r.Signature.Text},
	}
}

// again returns the body of a second cancellation of the same product.
func again(slug string) map[string]any { return with(body(slug), map[string]any{"repeat": true}) }

// with returns a body with some members changed. nil removes a member.
func with(b map[string]any, changes map[string]any) map[string]any {
	b = maps.Clone(b)
	for name, v := range changes {
		if v == nil {
			delete(b, name)
		} else {
			b[name] = v
		}
	}
	return b
}

func (s *service) headers(extra ...string) map[string]string {
	s.Helper()
	h := map[string]string{"Authorization": s.edge.Token("p", "cancellation"), "X-User-Id": string(cancellationtest.User().ID)}
	for i := 0; i < len(extra); i += 2 {
		h[extra[i]] = extra[i+1]
	}
	return h
}

// post creates a cancellation. query begins with a question mark.
func (s *service) post(query string, b map[string]any, extra ...string) apitest.Response {
	s.Helper()
	text, err := json.Marshal(b)
	require.NoError(s, err)
	return s.send(http.MethodPost, "/cancellations"+query, string(text), s.headers(append(extra, "Content-Type", "application/json")...))
}

func (s *service) read(path string) apitest.Response {
	s.Helper()
	return s.send(http.MethodGet, path, "", s.headers())
}

func TestCancellations(t *testing.T) {
	s := newService(t)
	a := s.post("", with(body("streaming"), map[string]any{"externalCancellationRequestIdentifier": "order-4711"}))
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	record, _ := a.Member("data", "cancellation").(map[string]any)
	id, _ := record["cancellationId"].(string)
	require.NoError(t, uuid.Validate(id))

	t.Run("have every documented member", func(t *testing.T) {
		assert.Equal(t, "order-4711", record["externalCancellationRequestIdentifier"])
		assert.Equal(t, catalogue.OrganizationID("streaming"), record["organizationId"])
		assert.Equal(t, "Email", record["channel"])
		assert.Equal(t, "Created", record["status"])
		assert.Empty(t, record["statusReason"])
		assert.Empty(t, record["trackingNumber"])
		assert.Equal(t, "2026-03-02T12:00:00Z", record["createdAt"])
		assert.Equal(t, []any{map[string]any{"status": "Created", "at": "2026-03-02T12:00:00Z"}}, record["history"])
		assert.Len(t, record["letterSha256"], 64)
		assert.Nil(t, a.Member("data", "letter"))
	})

	t.Run("are read, listed and filtered by identifier", func(t *testing.T) {
		one := s.read("/cancellations/" + strings.ToUpper(id))
		require.Equal(t, http.StatusOK, one.StatusCode, one.Body)
		assert.Equal(t, record, one.Member("data", "cancellation"))
		assert.Equal(t, 2, s.calls())
		for query, n := range map[string]int{
			"": 1, "?status=Created": 1, "?status=Sent": 0, "?externalCancellationRequestIdentifier=order-4711": 1,
			"?externalCancellationRequestIdentifier=other": 0, "?unknown=1": 1,
		} {
			list := s.read("/cancellations" + query)
			require.Equal(t, http.StatusOK, list.StatusCode, list.Body)
			assert.Len(t, list.Member("data", "cancellations"), n, query)
			assert.Equal(t, map[string]any{}, list.Member("meta", "pagination"))
		}
		assert.LessOrEqual(t, s.calls(), 3)
	})

	t.Run("say that a letter was late", func(t *testing.T) {
		late, _ := s.post("", again("streaming")).Member("data", "cancellation", "cancellationId").(string)
		report(t, s, late, dispatch.Report{State: dispatch.ReportDelayed, Reason: "MailboxFull"})
		history, _ := s.read("/cancellations/"+late).Member("data", "cancellation", "history").([]any)
		require.Len(t, history, 4)
		at := "2026-03-02T12:00:00Z"
		assert.Equal(t, map[string]any{
			"status": "Sent", "at": at, "delay": map[string]any{"at": at, "reason": "MailboxFull"},
		}, history[2])
		assert.Equal(t, map[string]any{"status": "Delivered", "at": at}, history[3])
	})

	t.Run("return their letter as a PDF", func(t *testing.T) {
		letter := s.read("/cancellations/" + id + "/letter")
		require.Equal(t, http.StatusOK, letter.StatusCode)
		assert.Equal(t, "application/pdf", letter.Headers["Content-Type"])
		assert.Equal(t, `inline; filename="cancellation.pdf"`, letter.Headers["Content-Disposition"])
		assert.Contains(t, letter.Body, "Anna Sommer")
	})

	t.Run("are returned again for the same identifier and content", func(t *testing.T) {
		same := s.post("", with(body("streaming"), map[string]any{"externalCancellationRequestIdentifier": "order-4711"}))
		require.Equal(t, http.StatusOK, same.StatusCode, same.Body)
		assert.Equal(t, record, same.Member("data", "cancellation"))
		other := s.post("", with(body("post"), map[string]any{"externalCancellationRequestIdentifier": "order-4711"}))
		assert.Equal(t, http.StatusConflict, other.StatusCode)
		assert.Equal(t, "external_identifier_reused", other.Member("code"))
	})

	t.Run("take the template's fields with values", func(t *testing.T) {
		fields := again("streaming")
		for _, one := range fields["parameters"].([]any) {
			p, _ := one.(map[string]any)
			p["label"], p["format"] = "Any label", "^.*$"
		}
		filled := s.post("", fields)
		assert.Equal(t, http.StatusCreated, filled.StatusCode, filled.Body)
	})

	t.Run("are returned again for the same idempotency key", func(t *testing.T) {
		first := s.post("", again("streaming"), "Idempotency-Key", "k")
		second := s.post("", again("streaming"), "Idempotency-Key", "k")
		assert.Equal(t, http.StatusCreated, second.StatusCode)
		assert.Equal(t, first.Body, second.Body)
		assert.Equal(t, "true", second.Headers["Idempotency-Replayed"])
		assert.Equal(t, "idempotency_key_reused", s.post("", body("post"), "Idempotency-Key", "k").Member("code"))
	})

	t.Run("are made once, although the answer of the write was lost", func(t *testing.T) {
		ids := func() []any {
			list, _ := s.read("/cancellations").Member("data", "cancellations").([]any)
			return list
		}
		before := len(ids())
		s.edge.LoseAnswersOf = "TransactWriteItems"
		lost := s.post("", body("written"), "Idempotency-Key", "lost")
		s.edge.LoseAnswersOf = ""
		assert.Equal(t, http.StatusCreated, lost.StatusCode, "the key has an answer: %s", lost.Body)
		same := s.post("", body("written"), "Idempotency-Key", "lost")
		require.Equal(t, http.StatusCreated, same.StatusCode, same.Body)
		assert.Equal(t, lost.Body, same.Body)
		assert.Equal(t, "true", same.Headers["Idempotency-Replayed"])
		assert.Len(t, ids(), before+1)
		assert.Equal(t, "already_cancelled", s.post("", body("written"), "Idempotency-Key", "other").Member("code"))
	})

	t.Run("cost no more with an idempotency key", func(t *testing.T) {
		require.Equal(t, http.StatusCreated, s.post("", again("streaming")).StatusCode)
		without := s.calls()
		require.Equal(t, http.StatusCreated, s.post("", again("streaming"), "Idempotency-Key", "calls").StatusCode)
		assert.Equal(t, without, s.calls(), "the answer is in the transaction")
	})

	t.Run("can be withdrawn while they wait", func(t *testing.T) {
		gone := s.send(http.MethodPost, "/cancellations/"+id+"/withdraw", "", s.headers())
		require.Equal(t, http.StatusOK, gone.StatusCode, gone.Body)
		assert.Equal(t, "Withdrawn", gone.Member("data", "cancellation", "status"))
	})

	t.Run("are visible only to their user", func(t *testing.T) {
		s.edge.AddUser(owner.User{Partner: "q", ID: cancellationtest.User().ID})
		for _, path := range []string{"/cancellations/" + id, "/cancellations/" + id + "/letter"} {
			foreign := s.send(
				http.MethodGet, path, "",
				map[string]string{"Authorization": s.edge.Token("q", "cancellation"), "X-User-Id": string(cancellationtest.User().ID)},
			)
			assert.Equal(t, http.StatusNotFound, foreign.StatusCode)
			assert.Equal(t, "not_found", foreign.Member("code"))
		}
	})
}

func TestASecondLetterIsNotSentByMistake(t *testing.T) {
	s := newService(t)
	first := s.post("", body("streaming"))
	require.Equal(t, http.StatusCreated, first.StatusCode, first.Body)
	made := s.calls()
	refused := s.post("", body("streaming"))
	assert.Equal(t, http.StatusConflict, refused.StatusCode)
	assert.Equal(t, "already_cancelled", refused.Member("code"))
	assert.Equal(t, first.Member("data", "cancellation", "cancellationId"), refused.Member("cancellationId"))
	assert.Equal(t, made+2, s.calls(), "it looks at the first")
	assert.Equal(t, http.StatusOK, s.post("?dryRun=true", body("streaming")).StatusCode)
	assert.Equal(t, http.StatusCreated, s.post("", again("streaming")).StatusCode)
	assert.Equal(t, made, s.calls())
}

func TestEndDateOfALetter(t *testing.T) {
	s := newService(t)
	on := func(day string) map[string]any { return with(body("gym"), map[string]any{"endDate": day}) }
	refused := s.post("", on("2026-05-15"))
	assert.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode)
	errs, _ := refused.Member("errors").([]any)
	require.Len(t, errs, 1, refused.Body)
	why, _ := errs[0].(map[string]any)
	assert.Equal(t, []any{"/endDate", "not_possible", "2026-05-31"}, []any{why["pointer"], why["code"], why["earliestEnd"]})
	for _, day := range []string{"2026-02-29", "2026-5-31", "31.05.2026", "", "2026-05-31T00:00:00Z"} {
		assert.Equal(t, "validation_failed", s.post("?dryRun=true", on(day)).Member("code"), day)
	}
	draft := s.post("?dryRun=true", body("gym"))
	assert.Equal(t, "2026-04-30", draft.Member("data", "letter", "endDate"), "the earliest, if it is known")
	made := s.post("", on("2026-05-31"))
	require.Equal(t, http.StatusCreated, made.StatusCode, made.Body)
	assert.Equal(t, "2026-05-31", made.Member("data", "cancellation", "endDate"))
	assert.Equal(t, []string{"2026-05-31"}, s.read("/cancellations").Each("cancellations", "endDate"))
	unknown := s.post("", body("streaming"))
	assert.NotContains(t, unknown.Member("data", "cancellation"), "endDate")
}

func TestCancellationsArePaged(t *testing.T) {
	s := newService(t)
	for range 5 {
		require.Equal(t, http.StatusCreated, s.post("", again("streaming")).StatusCode)
	}
	var seen []string
	next := ""
	for range 4 {
		page := s.read("/cancellations?limit=2&nextToken=" + next)
		require.Equal(t, http.StatusOK, page.StatusCode, page.Body)
		ids := page.Each("cancellations", "cancellationId")
		require.LessOrEqual(t, len(ids), 2)
		seen = append(seen, ids...)
		next, _ = page.Member("meta", "pagination").(map[string]any)["nextToken"].(string)
		if next == "" {
			break
		}
		assert.Equal(
			t, "invalid_next_token", s.read("/cancellations?status=Created&limit=2&nextToken="+next).Member("code"),
			"it is bound to the filters",
		)
	}
	assert.Len(t, seen, 5)
	assert.IsDecreasing(t, seen)
	for _, query := range []string{"limit=0", "limit=-1", "limit=x", "status=Sending", "status=created"} {
		assert.Equal(t, "validation_failed", s.read("/cancellations?"+query).Member("code"), query)
	}
}

func TestDryRun(t *testing.T) {
	s := newService(t)
	for slug, channel := range map[string]string{"streaming": "Email", "ink": "Mail"} {
		a := s.post("?dryRun=true", body(slug))
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Equal(t, channel, a.Member("data", "letter", "channel"))
		assert.Equal(t, "de-DE", a.Member("data", "letter", "locale"))
		assert.Equal(t, "anna@example.org", a.Member("data", "letter", "replyTo"))
		text, _ := a.Member("data", "letter", "pdf").(string)
		pdf, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		assert.Contains(t, string(pdf), "Anna Sommer")
		assert.Nil(t, a.Member("data", "cancellation"))
	}
	assert.Empty(t, s.read("/cancellations").Member("data", "cancellations"))
}

func TestBadCancellations(t *testing.T) {
	s := newService(t)
	image := func(data string) map[string]any {
		return map[string]any{"signature": map[string]any{"type": "IMAGE", "data": data}}
	}
	for name, tt := range map[string]struct {
		body    map[string]any
		status  int
		code    string
		pointer string
	}{
		"no organization":            {with(body("streaming"), map[string]any{"organizationId": nil}), 422, "validation_failed", ""},
		"an ID that is not a UUID":   {with(body("streaming"), map[string]any{"productId": "abo"}), 422, "validation_failed", "/productId"},
		"a malformed locale":         {with(body("streaming"), map[string]any{"locale": "de"}), 422, "validation_failed", "/locale"},
		"parameters that are null":   {with(body("streaming"), map[string]any{"parameters": json.RawMessage("null")}), 422, "validation_failed", "/parameters"},
		"an unknown member":          {with(body("streaming"), map[string]any{"channel": "Fax"}), 422, "validation_failed", "/channel"},
		"no signature":               {with(body("streaming"), map[string]any{"signature": nil}), 422, "validation_failed", ""},
		"an unknown signature":       {with(body("streaming"), map[string]any{"signature": map[string]any{"type": "Text", "data": "A"}}), 422, "validation_failed", "/signature/type"},
		"an empty signature":         {with(body("streaming"), map[string]any{"signature": map[string]any{"type": "TEXT", "data": ""}}), 422, "validation_failed", "/signature/data"},
		"an image not in base64":     {with(body("streaming"), image("!!!")), 422, "validation_failed", "/signature/data"},
		"an image that is huge":      {with(body("streaming"), image(strings.Repeat("A", 140_004))), 422, "validation_failed", "/signature/data"},
		"a replyTo that is too long": {with(body("streaming"), map[string]any{"replyTo": strings.Repeat("a", 250) + "@a.de"}), 422, "validation_failed", "/replyTo"},
		"no extra consent":           {body("party"), 422, "extra_consent_required", "/extraConsent"},
		"an original signature":      {body("ink"), 422, "form_not_supported", ""},
		"an identifier too long":     {with(body("streaming"), map[string]any{"externalCancellationRequestIdentifier": strings.Repeat("a", 256)}), 422, "validation_failed", "/externalCancellationRequestIdentifier"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.post("", tt.body)
			assert.Equal(t, tt.status, a.StatusCode, a.Body)
			assert.Equal(t, tt.code, a.Member("code"))
			if tt.pointer != "" {
				errs, _ := a.Member("errors").([]any)
				require.NotEmpty(t, errs, a.Body)
				first, _ := errs[0].(map[string]any)
				assert.Equal(t, tt.pointer, first["pointer"])
			}
		})
	}
	assert.Empty(t, s.read("/cancellations").Member("data", "cancellations"), "what is refused leaves nothing")

	t.Run("without the terms", func(t *testing.T) {
		user := owner.User{Partner: "p", ID: "6f9a1d7e-0000-4000-8000-000000000009"}
		s.edge.AddUser(user)
		a := s.post("", body("streaming"), "X-User-Id", string(user.ID))
		assert.Equal(t, http.StatusForbidden, a.StatusCode)
		assert.Equal(t, "terms_not_accepted", a.Member("code"))
		list := s.send(http.MethodGet, "/cancellations", "", s.headers("X-User-Id", string(user.ID)))
		assert.Equal(t, http.StatusOK, list.StatusCode, "reading needs no terms")
	})

	t.Run("for an unknown user", func(t *testing.T) {
		assert.Equal(t, "user_not_found", s.post("", body("streaming"), "X-User-Id", uuid.NewString()).Member("code"))
		assert.Equal(t, "user_id_required", s.post("", body("streaming"), "X-User-Id", "").Member("code"))
	})

	t.Run("invalid IDs", func(t *testing.T) {
		assert.Equal(t, "validation_failed", s.read("/cancellations/4711").Member("code"))
		assert.Equal(t, "not_found", s.read("/cancellations/"+uuid.NewString()).Member("code"))
		assert.Equal(t, "not_found", s.read("/cancellations/"+uuid.NewString()+"/letter").Member("code"))
	})
}
