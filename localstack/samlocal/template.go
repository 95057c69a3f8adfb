package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"aviso/localstack/stack"
	"aviso/localstack/template"
)

// prepare writes what sam local wants to be told: the functions' variables, and
// the built template as it needs it.
func (s *sam) prepare(around stack.Surroundings) error {
	variables := make(map[string]map[string]string, len(around.Variables))
	for id, own := range around.Variables {
		variables[id] = maps.Clone(own)
		for name, value := range around.AWS {
			variables[id][name] = inContainer(value)
		}
	}
	encoded, err := json.MarshalIndent(variables, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.variables(), encoded, 0o600); err != nil {
		return fmt.Errorf("write the functions' variables: %w", err)
	}
	built, err := os.ReadFile(filepath.Join(s.checkout, ".aws-sam", "build", "template.yaml"))
	if err != nil {
		return fmt.Errorf("read the built template: %w", err)
	}
	forSAM, err := forLocal(built, slices.Sorted(maps.Keys(around.AWS)))
	if err != nil {
		return fmt.Errorf("the built template: %w", err)
	}
	if err := os.WriteFile(s.template(), forSAM, 0o600); err != nil {
		return fmt.Errorf("write the template for sam local: %w", err)
	}
	return nil
}

// atOnce is how many requests the container of the sandbox takes at a time.
const atOnce = 16

// forLocal is the built template as sam local wants it. It differs in three ways.
//
// sam sets no variable that the template does not declare, so it declares those
// that lead to the local services.
//
// sam takes every body for UTF-8 text unless the API says otherwise; API Gateway
// passes on PDFs and forms with files anyway.
//
// sam starts one container for each function, which takes one request at a time.
// The sandbox stands for many others, though: the service calls it while it calls
// the service, and one bank that hangs must not let all of them hang. So its
// container takes several, in the way of Lambda's managed instances.
func forLocal(built []byte, variables []string) ([]byte, error) {
	var document map[string]any
	if err := yaml.Unmarshal(built, &document); err != nil {
		return nil, err
	}
	declared := object(object(object(object(document, "Globals"), "Function"), "Environment"), "Variables")
	for _, name := range variables {
		declared[name] = ""
	}
	resources := object(document, "Resources")
	for id := range resources {
		if resource := object(resources, id); resource["Type"] == "AWS::Serverless::HttpApi" {
			object(resource, "Properties")["DefinitionBody"] = map[string]any{
				"openapi": "3.0.1", "paths": map[string]any{}, "x-amazon-apigateway-binary-media-types": []string{"*/*"},
			}
		}
	}
	object(object(resources, "SandboxFunction"), "Properties")["CapacityProviderConfig"] = map[string]any{
		"Arn":                                   "arn:aws:lambda:" + template.Region + ":" + template.Account + ":capacity-provider:local",
		"PerExecutionEnvironmentMaxConcurrency": atOnce,
	}
	return yaml.Marshal(document)
}

// object is the member of that name, which is made where there is none.
func object(of map[string]any, name string) map[string]any {
	member, ok := of[name].(map[string]any)
	if !ok {
		member = map[string]any{}
		of[name] = member
	}
	return member
}
