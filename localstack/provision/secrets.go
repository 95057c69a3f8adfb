package provision

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"

	"aviso/localstack/template"
)

// Secrets creates every secret of tpl, with a random value if the template asks for one,
// and returns their ARNs by logical ID. An existing secret keeps its value.
func Secrets(
	ctx context.Context, client *secretsmanager.Client, tpl *template.Template, prefix string,
) (map[string]string, error) {
	arns := make(map[string]string, len(tpl.Secrets))
	for _, s := range tpl.Secrets {
		arn, err := secret(ctx, client, s, prefix+s.ID)
		if err != nil {
			return nil, fmt.Errorf("create secret %s: %w", prefix+s.ID, err)
		}
		arns[s.ID] = arn
	}
	return arns, nil
}

func secret(ctx context.Context, client *secretsmanager.Client, s template.Secret, name string) (string, error) {
	text, err := secretText(s)
	if err != nil {
		return "", err
	}
	created, err := client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &name, SecretString: &text})
	if err == nil {
		return aws.ToString(created.ARN), nil
	} else if _, ok := errors.AsType[*types.ResourceExistsException](err); !ok {
		return "", err
	}
	found, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return "", err
	}
	return aws.ToString(found.ARN), nil
}

// secretText does what CloudFormation does with GenerateSecretString.
func secretText(s template.Secret) (string, error) {
	g := s.Generate
	if g == nil {
		return s.Text, nil
	}
	random := (rand.Text() + rand.Text() + rand.Text())[:g.Length]
	if g.Template == "" {
		return random, nil
	}
	members := map[string]any{}
	if err := json.Unmarshal([]byte(g.Template), &members); err != nil {
		return "", fmt.Errorf("SecretStringTemplate: %w", err)
	}
	members[g.Key] = random
	text, err := json.Marshal(members)
	return string(text), err
}
