// Package sesmail sends e-mail with Amazon SES, API v2. It is separate from carrier because the SES client is large
// and slows down every cold start; the functions for callbacks send no mail.
package sesmail

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
)

// Sender implements carrier.EmailSender.
type Sender struct{ client *sesv2.Client }

// New returns a sender that uses client.
func New(client *sesv2.Client) Sender { return Sender{client} }

// SendEmail implements carrier.EmailSender.
func (s Sender) SendEmail(
	ctx context.Context, configurationSet, to string, message []byte, tags map[string]string,
) (string, error) {
	in := &sesv2.SendEmailInput{
		Content:     &types.EmailContent{Raw: &types.RawMessage{Data: message}},
		Destination: &types.Destination{ToAddresses: []string{to}}, ConfigurationSetName: &configurationSet,
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		in.EmailTags = append(in.EmailTags, types.MessageTag{Name: aws.String(name), Value: aws.String(tags[name])})
	}
	out, err := s.client.SendEmail(ctx, in, withoutRetries)
	if err != nil {
		return "", err
	}
	return aws.ToString(out.MessageId), nil
}

// withoutRetries prevents the SDK from sending a letter twice.
func withoutRetries(o *sesv2.Options) { o.Retryer = aws.NopRetryer{} }
