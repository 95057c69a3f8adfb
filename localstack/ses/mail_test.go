package ses_test

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/ses"
	"aviso/localstack/template"
)

func TestRawMail(t *testing.T) {
	const message = "From: Aviso <post@letters.example>\r\nTo: a@firm.example, \"B\" <bounce@simulator.amazonses.com>\r\n" +
		"Bcc: archive@letters.example\r\nSubject: =?utf-8?q?K=C3=BCndigung?=\r\n" +
		"X-SES-CONFIGURATION-SET: letters\r\nX-SES-MESSAGE-TAGS: cancellation=c-1, try=2\r\n\r\nGuten Tag\r\n"
	raw := func(message string) *sesv2.SendEmailInput {
		return &sesv2.SendEmailInput{Content: &types.EmailContent{Raw: &types.RawMessage{Data: []byte(message)}}}
	}
	mail := func(t *testing.T, in *sesv2.SendEmailInput) (record struct {
		Destination   []string
		Headers       []struct{ Name, Value string }
		CommonHeaders struct{ Subject string }
		Tags          map[string][]string
	}) {
		t.Helper()
		f := setUp(t, ses.Options{ConfigurationSets: []template.ConfigurationSet{letters}})
		f.send(t, in)
		require.NotEmpty(t, f.published(t))
		detail := struct{ Mail any }{&record}
		require.NoError(t, json.Unmarshal([]byte(detailOf(t, f.events[0])), &detail))
		return record
	}

	t.Run("has recipients, tags and configuration set in its headers", func(t *testing.T) {
		record := mail(t, raw(message))
		assert.ElementsMatch(t, []string{"a@firm.example", "bounce@simulator.amazonses.com", "archive@letters.example"}, record.Destination)
		assert.Equal(t, "Kündigung", record.CommonHeaders.Subject)
		assert.Equal(t, []string{"c-1"}, record.Tags["cancellation"])
		assert.Equal(t, []string{"2"}, record.Tags["try"])
		var names []string
		for _, h := range record.Headers {
			names = append(names, h.Name)
		}
		assert.Equal(t, []string{"From", "Subject", "To"}, names, "neither the hidden recipient nor what is for SES")
	})

	t.Run("the request's own take precedence", func(t *testing.T) {
		in := raw(message)
		in.Destination = &types.Destination{ToAddresses: []string{"c@firm.example"}}
		in.EmailTags = []types.MessageTag{{Name: aws.String("cancellation"), Value: aws.String("c-2")}}
		record := mail(t, in)
		assert.Equal(t, []string{"c@firm.example"}, record.Destination)
		assert.Equal(t, []string{"c-2"}, record.Tags["cancellation"])
		assert.NotContains(t, record.Tags, "try")
	})
}
