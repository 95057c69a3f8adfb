// Package secrets is the local replacement for Secrets Manager. It serves the calls that the stack and a rotation
// need, in AWS's JSON protocol, and stores values in one file.
package secrets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"

	"aviso/localstack/stack/statefile"
	"aviso/localstack/template"
)

// Store serves CreateSecret, PutSecretValue and GetSecretValue.
type Store struct {
	path   string
	mu     sync.Mutex
	values map[string]string // by name
}

// Open reads the secrets from the file at path. A missing file has none.
func Open(path string) (*Store, error) {
	s := &Store{path: path, values: map[string]string{}}
	if err := statefile.Read(path, &s.values); err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	return s, nil
}

// ServeHTTP implements AWS's JSON 1.1 protocol.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Name, SecretId, SecretString string } //nolint:revive // as AWS spells them
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		refuse(w, http.StatusBadRequest, "SerializationException", "The request cannot be read.")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := cmp.Or(in.Name, strings.TrimSuffix(strings.TrimPrefix(in.SecretId, arnPrefix()), arnSuffix))
	value, exists := s.values[name]
	switch target := r.Header.Get("X-Amz-Target"); {
	case target == "secretsmanager.CreateSecret" && exists:
		refuse(w, http.StatusBadRequest, "ResourceExistsException", "The secret already exists.")
	case target == "secretsmanager.CreateSecret", target == "secretsmanager.PutSecretValue" && exists:
		// The file comes first, so that a secret that cannot be stored does not exist.
		changed := maps.Clone(s.values)
		changed[name] = in.SecretString
		if err := statefile.Write(s.path, changed); err != nil {
			refuse(w, http.StatusInternalServerError, "InternalServiceError", err.Error())
			return
		}
		s.values = changed
		reply(w, http.StatusOK, describe(name))
	case target == "secretsmanager.GetSecretValue" && exists:
		found := describe(name)
		found["SecretString"] = value
		reply(w, http.StatusOK, found)
	case target == "secretsmanager.GetSecretValue", target == "secretsmanager.PutSecretValue":
		refuse(w, http.StatusBadRequest, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")
	default:
		refuse(w, http.StatusBadRequest, "UnknownOperationException", "The local stack does not support "+target+".")
	}
}

func reply(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	reply(w, status, map[string]any{"__type": kind, "Message": message})
}

func arnPrefix() string { return template.ARN("secretsmanager", "secret:") }

// AWS adds six random characters to every secret's ARN. Here they are always the same.
const arnSuffix = "-aLocal"

func describe(name string) map[string]any {
	return map[string]any{
		"ARN": arnPrefix() + name + arnSuffix, "Name": name,
		"VersionId": "00000000-0000-4000-8000-000000000001", "VersionStages": []string{"AWSCURRENT"},
	}
}
