package template_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// stack is template.yaml after SAM's transform, with an environment's parameters put in:
// what CloudFormation calls AWS with.
type stack struct {
	name       string
	parameters map[string]string
	template   map[string]any
	resources  map[string]map[string]any
}

// afterTransform is template.yaml after SAM's transform, by the value of GradualDeployment,
// which that transform reads.
var afterTransform = map[string]func() ([]byte, error){
	"true": sync.OnceValues(transform("true")), "false": sync.OnceValues(transform("false")),
}

func transform(gradual string) func() ([]byte, error) {
	return func() ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		script := []string{"../../.ci/transform.py", "../../template.yaml", "GradualDeployment=" + gradual}
		out, err := exec.CommandContext(ctx, "../../.tools/venv/bin/python", script...).Output()
		if err != nil {
			return nil, fmt.Errorf("transform template.yaml (make tools installs SAM): %w", err)
		}
		return out, nil
	}
}

// stacks returns one stack for each environment in samconfig.toml, as make deploy creates
// it. change may put a defect into the template first.
func stacks(t *testing.T, change func(template map[string]any)) []*stack {
	t.Helper()
	var all []*stack
	for _, environment := range []string{"test", "acceptance", "production"} {
		s := &stack{name: "aviso-" + environment, parameters: map[string]string{}, resources: map[string]map[string]any{}}
		given, err := template.Preset("../..", environment)
		require.NoError(t, err)
		source, err := afterTransform[cmp.Or(given["GradualDeployment"], "false")]()
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(source, &s.template))
		change(s.template)
		for name, p := range s.template["Parameters"].(map[string]any) {
			s.parameters[name] = fmt.Sprint(at(p, "Default"))
		}
		maps.Copy(s.parameters, given)
		s.parameters["DeletionProtection"] = "false" // until it is there: ops/deploy.py
		for id, r := range s.template["Resources"].(map[string]any) {
			if condition, ok := at(r, "Condition").(string); ok && !s.holds(condition) {
				continue
			}
			properties, _ := s.resolve(at(r, "Properties")).(map[string]any)
			s.resources[id] = map[string]any{
				"Type": at(r, "Type"), "DeletionPolicy": at(r, "DeletionPolicy"), "Properties": properties,
			}
		}
		all = append(all, s)
	}
	return all
}

// absent is AWS::NoValue.
type absent struct{}

// resolve puts values in place of intrinsic functions. A reference to a resource becomes a
// name as long as CloudFormation's own.
func (s *stack) resolve(value any) any {
	switch v := value.(type) {
	case []any:
		all := []any{}
		for _, inner := range v {
			if r := s.resolve(inner); r != (absent{}) {
				all = append(all, r)
			}
		}
		return all
	case map[string]any:
		for name, operand := range v {
			if name == "Ref" || strings.HasPrefix(name, "Fn::") {
				return s.intrinsic(name, operand)
			}
		}
		all := map[string]any{}
		for name, inner := range v {
			if r := s.resolve(inner); r != (absent{}) {
				all[name] = r
			}
		}
		return all
	}
	return value
}

var reference = regexp.MustCompile(`\$\{(!?)([\w:.]+)\}`)

func (s *stack) intrinsic(name string, operand any) any {
	switch name {
	case "Ref":
		return s.reference(operand.(string))
	case "Fn::GetAtt":
		path := list(operand)
		return fmt.Sprintf("arn:aws:service:eu-central-1:123456789012:%s-%v-0123456789AB", s.name, path[0])
	case "Fn::Sub":
		text, _ := list(operand)[0].(string)
		return reference.ReplaceAllStringFunc(text, func(m string) string {
			parts := reference.FindStringSubmatch(m)
			id, _, attribute := strings.Cut(parts[2], ".")
			switch {
			case parts[1] == "!":
				return "${" + parts[2] + "}"
			case attribute:
				return fmt.Sprint(s.intrinsic("Fn::GetAtt", []any{id}))
			}
			return fmt.Sprint(s.reference(id))
		})
	case "Fn::If":
		choice := operand.([]any)
		if s.holds(choice[0].(string)) {
			return s.resolve(choice[1])
		}
		return s.resolve(choice[2])
	case "Fn::Select":
		choice := operand.([]any)
		index, _ := number(s.resolve(choice[0]))
		if parts := list(s.resolve(choice[1])); int(index) < len(parts) {
			return parts[int(index)]
		}
		return ""
	case "Fn::Split":
		parts := []any{}
		for part := range strings.SplitSeq(fmt.Sprint(s.resolve(operand.([]any)[1])), operand.([]any)[0].(string)) {
			parts = append(parts, part)
		}
		return parts
	case "Fn::Join":
		var parts []string
		for _, part := range list(s.resolve(operand.([]any)[1])) {
			parts = append(parts, fmt.Sprint(part))
		}
		return strings.Join(parts, operand.([]any)[0].(string))
	}
	panic("the test cannot resolve " + name)
}

func (s *stack) reference(name string) any {
	pseudo := map[string]any{
		"AWS::NoValue": absent{}, "AWS::Partition": "aws", "AWS::Region": "eu-central-1", "AWS::AccountId": "123456789012",
		"AWS::StackName": s.name, "AWS::URLSuffix": "amazonaws.com",
	}
	if value, ok := pseudo[name]; ok {
		return value
	}
	if value, ok := s.parameters[name]; ok {
		return value
	}
	return s.name + "-" + name + "-0123456789AB"
}

func (s *stack) holds(condition string) bool {
	return s.evaluate(at(s.template, "Conditions", condition))
}

func (s *stack) evaluate(expression any) bool {
	for name, operand := range expression.(map[string]any) {
		switch name {
		case "Condition":
			return s.holds(operand.(string))
		case "Fn::Equals":
			sides := operand.([]any)
			return fmt.Sprint(s.resolve(sides[0])) == fmt.Sprint(s.resolve(sides[1]))
		case "Fn::Not":
			return !s.evaluate(operand.([]any)[0])
		case "Fn::And", "Fn::Or":
			for _, inner := range operand.([]any) {
				if s.evaluate(inner) == (name == "Fn::Or") {
					return name == "Fn::Or"
				}
			}
			return name == "Fn::And"
		}
	}
	panic("the test cannot evaluate a condition")
}

// of returns the properties of the resources of a type, by logical ID.
func (s *stack) of(kind string) map[string]map[string]any {
	found := map[string]map[string]any{}
	for id, r := range s.resources {
		if r["Type"] == kind {
			found[id], _ = r["Properties"].(map[string]any)
		}
	}
	return found
}
