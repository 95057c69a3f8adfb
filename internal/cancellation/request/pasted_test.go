package request_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/request"
	"aviso/localstack/tests/cancellationtest"
)

// People paste values from banking apps, letters and word processors.
func TestPastedValuesAreReadAsTheyAreMeant(t *testing.T) {
	w := newWorld(t)
	written := &cancellationtest.LastLetter{}
	w.Requests.Writer = written
	r := cancellationtest.Request("streaming")
	for i, pasted := range []string{
		"\ufeff Anna\u00a0Maria M\u00fcller\u2011L\u00fcden\u00adscheidt\u200b", "\u206050667\u3000", "anna\u200b@example.org\u202f",
		"\u2060K\u20131 ",
	} {
		r.Parameters[i].Value = pasted
	}
	r.Signature.Text, r.ReplyTo = "Anna\u00a0M\u00fcller\u200b", " anna@example.org\u00a0"
	draft, err := w.Requests.Preview(t.Context(), cancellationtest.User(), r)
	require.NoError(t, err)
	assert.Equal(t, "Anna Maria M\u00fcller-L\u00fcdenscheidt", written.Sender.Name)
	assert.Equal(t, "50667", written.Sender.PostalCode)
	assert.Equal(t, "anna@example.org", written.Sender.Email)
	assert.Equal(t, "K-1", written.References[0].Value)
	assert.Equal(t, "Anna M\u00fcller", written.Signature.Text)
	assert.Equal(t, "anna@example.org", draft.ReplyTo)
	r.Parameters[1].Value = " \u00a0"
	assert.Equal(t, []string{"empty"}, faultsOf(t, w, r))
	assert.Equal(t, "5\u20137", request.Request{
		Parameters: []request.Parameter{{Key: catalogue.FieldAddress, Value: "5\u20137"}},
	}.Cleaned().Parameters[0].Value, "a dash between house numbers")
}

func TestDatesExist(t *testing.T) {
	w := newWorld(t) // it is 2026-03-02
	find := w.Requests.Product
	w.Requests.Product = func(ctx context.Context, organization, product string) (catalogue.Organization, catalogue.Product, error) {
		o, p, err := find(ctx, organization, product)
		day := `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
		p.Fields = append(p.Fields,
			catalogue.Field{Key: catalogue.FieldBirthDate, Format: day}, catalogue.Field{Key: "START_DATE", Format: day})
		return o, p, err
	}
	for _, tt := range []struct {
		birth, start string
		want         []string
	}{
		{"1990-02-28", "2027-01-01", nil},
		{"1900-01-01", "1850-01-01", nil},
		{"2026-03-02", "2020-02-29", nil},
		{"1990-02-30", "2021-02-29", []string{"format", "format"}},
		{"0000-01-01", "2020-01-01", []string{"out_of_range"}},
		{"1850-05-05", "2020-01-01", []string{"out_of_range"}},
		{"2026-03-03", "2020-13-01", []string{"out_of_range", "format"}},
	} {
		r := cancellationtest.Request("streaming")
		r.Parameters = append(r.Parameters,
			request.Parameter{Key: catalogue.FieldBirthDate, Value: tt.birth}, request.Parameter{Key: "START_DATE", Value: tt.start})
		assert.Equal(t, tt.want, faultsOf(t, w, r), "%s, %s", tt.birth, tt.start)
	}
}

// faultsOf returns the codes of what a preview refuses.
func faultsOf(t *testing.T, w *world, r request.Request) (codes []string) {
	t.Helper()
	_, err := w.Requests.Preview(t.Context(), cancellationtest.User(), r)
	var refused *apierror.Error
	if err != nil {
		require.ErrorAs(t, err, &refused)
		for _, f := range refused.Fields {
			codes = append(codes, f.Code)
		}
	}
	return codes
}
