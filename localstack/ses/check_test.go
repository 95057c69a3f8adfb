package ses_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/ses"
	"aviso/localstack/template"
)

func TestRejectedMail(t *testing.T) {
	with := func(change func(in *sesv2.SendEmailInput)) *sesv2.SendEmailInput {
		in := simple("a@firm.example")
		change(in)
		return in
	}
	raw := func(message string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) {
			in.Destination = nil
			in.Content = &types.EmailContent{Raw: &types.RawMessage{Data: []byte(message)}}
		})
	}
	tag := func(name, value string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.EmailTags = []types.MessageTag{{Name: &name, Value: &value}} })
	}
	from := func(address string) *sesv2.SendEmailInput {
		return with(func(in *sesv2.SendEmailInput) { in.FromEmailAddress = &address })
	}
	for name, tc := range map[string]struct {
		in   *sesv2.SendEmailInput
		code string
	}{
		"a sender without an identity":             {from("post@other.example"), "MessageRejected"},
		"a domain that ends like an identity":      {from("post@myletters.example"), "MessageRejected"},
		"another mailbox of a verified address":    {from("two@single.example"), "MessageRejected"},
		"no sender":                                {from(""), "BadRequestException"},
		"an unknown configuration set":             {with(func(in *sesv2.SendEmailInput) { in.ConfigurationSetName = aws.String("other") }), "NotFoundException"},
		"a tag with a space":                       {tag("kind", "a letter"), "BadRequestException"},
		"a tag with a colon in its name":           {tag("ses:operation", "x"), "BadRequestException"},
		"a tag that is too long":                   {tag("kind", strings.Repeat("x", 257)), "BadRequestException"},
		"no recipient":                             {with(func(in *sesv2.SendEmailInput) { in.Destination = nil }), "BadRequestException"},
		"a recipient that is not an address":       {simple("firm.example"), "BadRequestException"},
		"an invalid raw message":                   {raw("no headers"), "BadRequestException"},
		"a raw message to an invalid address":      {raw("From: post@letters.example\r\nTo: nobody\r\n\r\n"), "BadRequestException"},
		"a templated mail, which is not supported": {with(func(in *sesv2.SendEmailInput) { in.Content = &types.EmailContent{Template: &types.Template{}} }), "BadRequestException"},
		"a mail that the emulator rejects":         {with(func(in *sesv2.SendEmailInput) { in.Content.Simple.Subject.Data = aws.String("") }), "Bad Request Exception"},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, ses.Options{
				ConfigurationSets: []template.ConfigurationSet{letters},
				Identities:        []template.EmailIdentity{{Name: "letters.example"}, {Name: "one@single.example"}},
			})
			_, err := f.client.SendEmail(t.Context(), tc.in)
			var refused smithy.APIError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.ErrorCode()+refused.ErrorMessage(), tc.code)
			assert.Empty(t, f.published(t))
		})
	}

	for _, address := range []string{"one@single.example", "post@letters.example", "Post <post@sub.Letters.example>"} {
		t.Run("but not "+address, func(t *testing.T) {
			f := setUp(t, ses.Options{
				ConfigurationSets: []template.ConfigurationSet{letters},
				Identities:        []template.EmailIdentity{{Name: "letters.example"}, {Name: "one@single.example"}},
			})
			f.send(t, from(address))
		})
	}

	t.Run("a request that is not JSON, and one for bulk mail", func(t *testing.T) {
		f := setUp(t, ses.Options{})
		for _, path := range []string{"outbound-emails", "outbound-bulk-emails"} {
			response, err := http.Post(f.url+"/v2/email/"+path, "application/json", strings.NewReader("{"))
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, 400, response.StatusCode)
			assert.Equal(t, "BadRequestException", response.Header.Get("X-Amzn-Errortype"))
		}
	})
}
