package template_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// subscribed is a template up to the properties of an event that passes lines on.
const subscribed = `
Resources:
  ALog: { Type: AWS::Logs::LogGroup, Properties: { LogGroupName: /test/a } }
  AFunction: { Type: AWS::Serverless::Function, Properties: { LoggingConfig: { LogGroup: !Ref ALog } } }
  BFunction:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Lines:
          Type: CloudWatchLogs
          Properties: `

func TestLogSubscriptions(t *testing.T) {
	t.Parallel()
	tpl := parse(t, subscribed+"{ LogGroupName: !Ref ALog, FilterPattern: p }", nil)
	assert.Equal(t, []template.LogSubscription{
		{Name: "Lines", LogGroup: "ALog", GroupName: "/test/a", Pattern: "p", Function: "BFunction"},
	}, tpl.LogSubscriptions)
	f, ok := tpl.Function("AFunction")
	require.True(t, ok)
	assert.Equal(t, "ALog", f.LogGroup)
}

func TestLogSubscriptionsOfOtherThings(t *testing.T) {
	t.Parallel()
	for properties, text := range map[string]string{
		`{ LogGroupName: !Ref AFunction, FilterPattern: p }`:   "BFunction reads the lines of AFunction, which is not a log group",
		`{ LogGroupName: /test/a, FilterPattern: p }`:          "LogGroupName must be !Ref <resource>",
		`{ LogGroupName: !GetAtt ALog.Arn, FilterPattern: p }`: "LogGroupName must be !Ref <resource>",
		`{ LogGroupName: !Ref ALog }`:                          "FilterPattern is missing",
		`{ LogGroupName: !Ref ALog, FilterPattern: p, A: b }`:  "does not support A",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, err := template.Parse([]byte(subscribed+properties), "t.yaml", nil)
			assert.ErrorContains(t, err, text)
		})
	}
}
