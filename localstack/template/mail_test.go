package template_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/localstack/template"
)

const mail = `
Parameters:
  Sender: { Type: String, Default: letters.example }
Resources:
  Letters: { Type: AWS::SES::ConfigurationSet, Properties: { Name: letters-local } }
  Other: { Type: AWS::SES::ConfigurationSet }
  Events:
    Type: AWS::SES::ConfigurationSetEventDestination
    Properties:
      ConfigurationSetName: !Ref Letters
      EventDestination:
        Enabled: true
        MatchingEventTypes: [SEND, RENDERING_FAILURE, DELIVERY_DELAY, SEND]
        EventBridgeDestination: { EventBusArn: !Sub "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default" }
  MoreEvents:
    Type: AWS::SES::ConfigurationSetEventDestination
    Properties:
      ConfigurationSetName: letters-local
      EventDestination:
        Enabled: true
        MatchingEventTypes: [BOUNCE]
        EventBridgeDestination: { EventBusArn: "arn:aws:events:eu-central-1:000000000000:event-bus/default" }
  Off:
    Type: AWS::SES::ConfigurationSetEventDestination
    Properties:
      ConfigurationSetName: !Ref Letters
      EventDestination: { MatchingEventTypes: [OPEN], EventBridgeDestination: { EventBusArn: "arn:aws:events:eu-central-1:000000000000:event-bus/default" } }
  Metrics:
    Type: AWS::SES::ConfigurationSetEventDestination
    Properties:
      ConfigurationSetName: !Ref Other
      EventDestination: { Enabled: true, MatchingEventTypes: [COMPLAINT], CloudWatchDestination: { DimensionConfigurations: [] } }
  Identity: { Type: AWS::SES::EmailIdentity, Properties: { EmailIdentity: !Ref Sender, ConfigurationSetAttributes: { ConfigurationSetName: !Ref Letters } } }
  Address: { Type: AWS::SES::EmailIdentity, Properties: { EmailIdentity: a@b.example } }
  List: { Type: AWS::SES::ContactList }
`

func TestMail(t *testing.T) {
	tpl := parse(t, mail, nil)
	assert.Equal(t, []template.ConfigurationSet{
		{ID: "Letters", Name: "letters-local", Events: []string{"SEND", "RENDERING_FAILURE", "DELIVERY_DELAY", "BOUNCE"}},
		{ID: "Other", Name: "Other"},
	}, tpl.ConfigurationSets)
	assert.Equal(t, []template.EmailIdentity{
		{ID: "Identity", Name: "letters.example", ConfigurationSet: "letters-local"},
		{ID: "Address", Name: "a@b.example"},
	}, tpl.EmailIdentities)
}
