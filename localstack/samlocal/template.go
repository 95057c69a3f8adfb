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

// prepare writes the files that sam local reads: the functions' variables, and the
// built template with the changes it needs.
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

// sandboxConcurrency is how many requests the sandbox's container handles at a time.
const sandboxConcurrency = 16

// forLocal returns the built template with three changes for sam local.
//
// sam sets only variables that the template declares, so it declares the endpoints of
// the local services.
//
// sam treats every body as UTF-8 text unless the API says otherwise, whereas API Gateway
// passes on PDFs and forms with files in any case.
//
// sam starts one container per function, which handles one request at a time. But the
// sandbox plays many companies: the service calls it while it calls the service, and one
// bank that hangs must not block the others. So its container handles several requests,
// as Lambda's managed instances do.
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
				"openapi": "3.0.1", "paths": map[string]any{},
				"x-amazon-apigateway-binary-media-types": []string{"*/*"},
			}
		}
	}
	object(object(resources, "SandboxFunction"), "Properties")["CapacityProviderConfig"] = map[string]any{
		"Arn": "arn:aws:lambda:" + template.Region + ":" + template.Account + ":capacity-provider:local",

		"PerExecutionEnvironmentMaxConcurrency": sandboxConcurrency,
	}
	return yaml.Marshal(document)
}

// object returns the member with this name, and creates it if it is missing.
func object(of map[string]any, name string) map[string]any {
	member, ok := of[name].(map[string]any)
	if !ok {
		member = map[string]any{}
		of[name] = member
	}
	return member
}
