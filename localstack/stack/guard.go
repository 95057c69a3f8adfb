package stack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aviso/localstack/iam"
	"aviso/localstack/provision"
	"aviso/localstack/template"
)

// guard puts proxies that enforce the functions' policies in front of the services, and
// returns the proxies' addresses.
func (b *backends) guard(tpl *template.Template, r *provision.Resources, say func(string)) (endpoints, error) {
	proxy := &iam.Proxy{
		Account: iam.Account{
			Region: template.Region, ID: template.Account, PartitionKeys: map[string]string{},
			Identity: func(address string) string {
				identity, _ := template.IdentityOf(tpl.EmailIdentities, address)
				return cmp.Or(identity.Name, address)
			},
		},
		Policies: map[string][]iam.Statement{},
		Denied:   func(reason string) { say("denied: " + reason) },
	}
	for _, table := range tpl.Tables {
		proxy.Account.PartitionKeys[r.Tables[table.ID]] = table.Key.Hash
	}
	for _, f := range tpl.Functions {
		statements, err := statements(r, f)
		if err != nil {
			return endpoints{}, fmt.Errorf("policies of %s: %w", f.ID, err)
		}
		proxy.Policies[f.Name] = statements
	}
	guarded := b.endpoints
	for _, address := range []*string{
		&guarded.dynamoDB, &guarded.streams, &guarded.sqs, &guarded.ses, &guarded.secrets,
	} {
		handler, err := proxy.To(*address)
		if err != nil {
			return endpoints{}, err
		}
		if *address, err = b.serve(handler); err != nil {
			return endpoints{}, err
		}
	}
	return guarded, nil
}

// isElsewhere reports whether an action belongs to a service that the local stack lacks.
func isElsewhere(action string) bool {
	service, _, _ := strings.Cut(action, ":")
	return slices.Contains([]string{"logs", "xray", "kms"}, service)
}

// statements returns a function's policies, with the ARNs of this stack's resources.
func statements(r *provision.Resources, f template.Function) ([]iam.Statement, error) {
	var all []iam.Statement
	for _, policy := range f.Policies {
		if slices.ContainsFunc(policy.Actions, isElsewhere) {
			continue
		}
		statement := iam.Statement{Actions: policy.Actions}
		for _, resource := range policy.Resources {
			arn, err := resource.Resolve(r.Resolve)
			if err != nil {
				return nil, err
			}
			statement.Resources = append(statement.Resources, arn)
		}
		for _, c := range policy.Conditions {
			statement.Conditions = append(statement.Conditions, iam.Condition(c))
		}
		all = append(all, statement)
	}
	return all, iam.Check(all)
}
