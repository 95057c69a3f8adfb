// Package secrets is the local replacement for Secrets Manager. It serves the calls that
// the stack and a rotation need, in AWS's JSON protocol, and stores values in one file.
package secrets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"

	"aviso/localstack/statefile"
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

// request has the members of requests that matter here.
type request struct {
	Name         string
	SecretID     string `json:"SecretId"`
	SecretString string
}

// answer has the members of responses.
type answer struct {
	ARN           string
	Name          string
	VersionID     string `json:"VersionId"`
	SecretString  string `json:",omitempty"`
	VersionStages []string
}

// failure is an error in AWS's format.
type failure struct {
	Type    string `json:"__type"`
	Message string `json:"Message"`
}

// ServeHTTP implements AWS's JSON 1.1 protocol.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		reply(w, http.StatusBadRequest, failure{"SerializationException", "The request cannot be read."})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := cmp.Or(in.Name, nameOf(in.SecretID))
	value, exists := s.values[name]
	switch target := r.Header.Get("X-Amz-Target"); {
	case target == "secretsmanager.CreateSecret" && exists:
		reply(w, http.StatusBadRequest, failure{"ResourceExistsException", "The secret already exists."})
	case target == "secretsmanager.CreateSecret", target == "secretsmanager.PutSecretValue" && exists:
		// Written first, so that a secret that cannot be stored does not exist either.
		changed := maps.Clone(s.values)
		changed[name] = in.SecretString
		if err := statefile.Write(s.path, changed); err != nil {
			reply(w, http.StatusInternalServerError, failure{"InternalServiceError", err.Error()})
			return
		}
		s.values = changed
		reply(w, http.StatusOK, describe(name, ""))
	case target == "secretsmanager.GetSecretValue" && exists:
		reply(w, http.StatusOK, describe(name, value))
	case target == "secretsmanager.GetSecretValue", target == "secretsmanager.PutSecretValue":
		reply(w, http.StatusBadRequest,
			failure{"ResourceNotFoundException", "Secrets Manager can't find the specified secret."})
	default:
		reply(w, http.StatusBadRequest,
			failure{"UnknownOperationException", "The local stack does not support " + target + "."})
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// nameOf returns the name of the secret with this name or ARN.
func nameOf(id string) string {
	if resource, ok := strings.CutPrefix(id, arnPrefix); ok {
		return strings.TrimSuffix(resource, arnSuffix)
	}
	return id
}

var arnPrefix = template.ARN("secretsmanager", "secret:")

// AWS adds six random characters to every secret's ARN. Here they are always the same.
const arnSuffix = "-aLocal"

func describe(name, value string) *answer {
	return &answer{
		ARN: arnPrefix + name + arnSuffix, Name: name, SecretString: value,
		VersionID: "00000000-0000-4000-8000-000000000001", VersionStages: []string{"AWSCURRENT"},
	}
}
