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

func TestRefusals(t *testing.T) {
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
		"a sender who is no identity":             {from("post@other.example"), "MessageRejected"},
		"one whose domain merely ends like one":   {from("post@myletters.example"), "MessageRejected"},
		"another mailbox of a verified address":   {from("two@single.example"), "MessageRejected"},
		"no sender":                               {from(""), "BadRequestException"},
		"a configuration set that is none":        {with(func(in *sesv2.SendEmailInput) { in.ConfigurationSetName = aws.String("other") }), "NotFoundException"},
		"a tag with a space":                      {tag("kind", "a letter"), "BadRequestException"},
		"a tag with a colon in its name":          {tag("ses:operation", "x"), "BadRequestException"},
		"a tag too long":                          {tag("kind", strings.Repeat("x", 257)), "BadRequestException"},
		"no recipient":                            {with(func(in *sesv2.SendEmailInput) { in.Destination = nil }), "BadRequestException"},
		"a recipient that is no address":          {simple("firm.example"), "BadRequestException"},
		"a raw message that is none":              {raw("no headers"), "BadRequestException"},
		"a raw message to no address":             {raw("From: post@letters.example\r\nTo: nobody\r\n\r\n"), "BadRequestException"},
		"a mail by template, which is not here":   {with(func(in *sesv2.SendEmailInput) { in.Content = &types.EmailContent{Template: &types.Template{}} }), "BadRequestException"},
		"what the emulator refuses, as it stands": {with(func(in *sesv2.SendEmailInput) { in.Content.Simple.Subject.Data = aws.String("") }), "Bad Request Exception"},
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

	t.Run("a request that is no JSON, and one for many mails", func(t *testing.T) {
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
