// Package secrets is the local stand-in of Secrets Manager: the calls that the
// stack makes and that a rotation needs, in AWS's JSON protocol, over values kept
// in one file.
package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"

	"aviso/localstack/template"
)

// Store answers CreateSecret, PutSecretValue and GetSecretValue.
type Store struct {
	path   string
	mu     sync.Mutex
	values map[string]string // by name
}

// Open reads the secrets kept in the file path; a file that is not there holds
// none.
func Open(path string) (*Store, error) {
	s := &Store{path: path, values: map[string]string{}}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	if err := json.Unmarshal(raw, &s.values); err != nil {
		return nil, fmt.Errorf("read the secrets in %s: %w", path, err)
	}
	return s, nil
}

// request has the members of the calls that matter here.
type request struct {
	Name         string
	SecretID     string `json:"SecretId"`
	SecretString string
}

// answer has the members of the calls' answers.
type answer struct {
	ARN           string
	Name          string
	VersionID     string `json:"VersionId"`
	SecretString  string `json:",omitempty"`
	VersionStages []string
}

// failure is an error in AWS's shape.
type failure struct {
	status  int
	Type    string `json:"__type"`
	Message string `json:"Message"`
}

// ServeHTTP speaks AWS's JSON 1.1 protocol.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		reply(w, http.StatusBadRequest, failure{Type: "SerializationException", Message: "The request cannot be read."})
		return
	}
	var out *answer
	var failed *failure
	switch target := r.Header.Get("X-Amz-Target"); target {
	case "secretsmanager.CreateSecret":
		out, failed = s.create(in)
	case "secretsmanager.PutSecretValue":
		out, failed = s.put(in)
	case "secretsmanager.GetSecretValue":
		out, failed = s.get(in)
	default:
		failed = &failure{status: http.StatusBadRequest, Type: "UnknownOperationException", Message: target + " is not there locally."}
	}
	if failed != nil {
		reply(w, failed.status, failed)
		return
	}
	reply(w, http.StatusOK, out)
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func (s *Store) create(in request) (*answer, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.values[in.Name]; ok {
		return nil, &failure{http.StatusBadRequest, "ResourceExistsException", "The secret is already there."}
	}
	s.values[in.Name] = in.SecretString
	if err := s.save(); err != nil {
		delete(s.values, in.Name)
		return nil, &failure{http.StatusInternalServerError, "InternalServiceError", err.Error()}
	}
	return describe(in.Name, ""), nil
}

func (s *Store) get(in request) (*answer, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, failed := s.find(in.SecretID)
	if failed != nil {
		return nil, failed
	}
	return describe(name, s.values[name]), nil
}

func (s *Store) put(in request) (*answer, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, failed := s.find(in.SecretID)
	if failed != nil {
		return nil, failed
	}
	former := s.values[name]
	s.values[name] = in.SecretString
	if err := s.save(); err != nil {
		s.values[name] = former
		return nil, &failure{http.StatusInternalServerError, "InternalServiceError", err.Error()}
	}
	return describe(name, ""), nil
}

// find is the name of the secret with this name or ARN.
func (s *Store) find(id string) (string, *failure) {
	if resource, ok := strings.CutPrefix(id, arnPrefix); ok {
		id = strings.TrimSuffix(resource, arnSuffix)
	}
	if _, ok := s.values[id]; !ok {
		return "", &failure{http.StatusBadRequest, "ResourceNotFoundException", "Secrets Manager can't find the specified secret."}
	}
	return id, nil
}

// save writes beside and renames, so that a crash leaves the old or the new.
func (s *Store) save() error {
	raw, err := json.Marshal(s.values)
	if err != nil {
		return err
	}
	beside := s.path + ".new"
	if err := os.WriteFile(beside, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(beside, s.path)
}

const (
	arnPrefix = "arn:aws:secretsmanager:" + template.Region + ":" + template.Account + ":secret:"
	// AWS ends every secret's ARN with six random characters; here they are the
	// same for all.
	arnSuffix = "-aLocal"
)

func describe(name, value string) *answer {
	return &answer{
		ARN: arnPrefix + name + arnSuffix, Name: name, SecretString: value,
		VersionID: "00000000-0000-4000-8000-000000000001", VersionStages: []string{"AWSCURRENT"},
	}
}
