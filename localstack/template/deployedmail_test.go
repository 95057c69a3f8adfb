package template_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// Receivers trust mail whose DKIM signature and MAIL FROM belong to the sender's domain.
// Only an identity of the domain has both.
func TestMailIsOfTheSendersDomain(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	identity := d.resources["MailIdentity"]
	assert.Equal(t, map[string]any{"Fn::If": []any{"IsLocal", "aviso.example", map[string]any{"Ref": "MailDomain"}}},
		at(identity, "Properties", "EmailIdentity"))
	assert.Equal(t, "RSA_2048_BIT", at(identity, "Properties", "DkimSigningAttributes", "NextSigningKeyLength"))
	assert.Equal(t, "bounce.${MailDomain}", at(identity, "Properties", "MailFromAttributes", "MailFromDomain", "Fn::Sub"))
	for output, record := range map[string]string{
		"MailDkim1":  "${MailIdentity.DkimDNSTokenName1} CNAME ${MailIdentity.DkimDNSTokenValue1}",
		"MailDkim2":  "${MailIdentity.DkimDNSTokenName2} CNAME ${MailIdentity.DkimDNSTokenValue2}",
		"MailDkim3":  "${MailIdentity.DkimDNSTokenName3} CNAME ${MailIdentity.DkimDNSTokenValue3}",
		"MailFromMx": "bounce.${MailDomain} MX 10 feedback-smtp.${AWS::Region}.amazonses.com",
		"MailSpf":    `bounce.${MailDomain} TXT "v=spf1 include:amazonses.com ~all"`,
		"MailDmarc":  `_dmarc.${MailDomain} TXT "v=DMARC1; p=quarantine"`,
	} {
		assert.Equal(t, record, at(d.outputs[output], "Value", "Fn::Sub"), output)
		assert.Equal(t, identity["Condition"], at(d.outputs[output], "Condition"), output)
	}
}

// SES has one identity for each domain in an account, so the second stack uses the first
// one's. It may go when neither stack does.
func TestTwoStacksShareADomain(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	assert.Equal(t, "RetainExceptOnCreate", d.resources["MailIdentity"]["DeletionPolicy"])
	assert.Equal(t, "Retain", d.resources["MailIdentity"]["UpdateReplacePolicy"])
	assert.Nil(t, at(d.resources["MailIdentity"], "Properties", "ConfigurationSetAttributes"), "the other stack has its own set")
	for id, r := range d.resources {
		assert.NotContains(t, named(r), "MailIdentity", id)
	}
	for exists, identities := range map[string]int{"false": 1, "true": 0} {
		given := map[string]string{"Environment": "production", "MailDomain": "letters.example.com", "MailIdentityExists": exists,
			"ReplyAddress": "answers@example.com"}
		deployed, err := template.Load("../../template.yaml", func(parameter string) (string, bool) {
			value, ok := given[parameter]
			return value, ok
		})
		require.NoError(t, err)
		assert.Len(t, deployed.EmailIdentities, identities, "MailIdentityExists=%s", exists)
		for _, id := range []string{"LetterDispatchFunction", "CancellationFunction"} {
			f, _ := deployed.Function(id)
			from, err := f.Environment["MAIL_FROM"].Resolve(nil)
			require.NoError(t, err)
			assert.Equal(t, "letters@letters.example.com", from, id)
			answers, err := f.Environment["REPLY_ADDRESS"].Resolve(nil)
			require.NoError(t, err)
			assert.Equal(t, "answers@example.com", answers, id)
		}
	}
}

// Nobody reads the sender's mailbox.
func TestProductionRequiresAMailboxForAnswers(t *testing.T) {
	t.Parallel()
	for _, s := range stacks(t, func(map[string]any) {}) {
		for _, address := range []string{"", "answers@example.com"} {
			s.parameters["ReplyAddress"] = address
			holds := true
			for _, rule := range s.template["Rules"].(map[string]any) {
				for _, a := range at(rule, "Assertions").([]any) {
					holds = holds && (!s.evaluate(at(rule, "RuleCondition")) || s.evaluate(at(a, "Assert")))
				}
			}
			assert.Equal(t, address != "" || s.parameters["Environment"] != "production", holds, s.name)
		}
	}
}

func TestLettersMayBeSentFromTheDomainOnly(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	arn := "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:"
	for id := range d.ofType("AWS::Serverless::Function") {
		for _, s := range d.statements(id) {
			if fmt.Sprint(list(s["Action"])[0])[:4] != "ses:" {
				continue
			}
			assert.Equal(t, "LetterDispatchFunction", id)
			if from := at(s["Condition"], "StringEquals", "ses:FromAddress"); from != nil { // to any recipient, outside production
				assert.Equal(t, map[string]any{"Fn::Sub": "${MailSender}@${MailDomain}"}, from)
				continue
			}
			assert.Equal(t, []any{
				map[string]any{"Fn::If": []any{
					"IsLocal",
					map[string]any{"Fn::Sub": arn + "identity/aviso.example"}, map[string]any{"Fn::Sub": arn + "identity/${MailDomain}"},
				}},
				map[string]any{"Fn::Sub": arn + "configuration-set/${MailConfigurationSet}"},
			}, s["Resource"])
		}
	}
}
