// Package config reads a function's configuration from its environment, which template.yaml sets. A missing variable
// stops the function at startup with one clear line. The package also configures the AWS clients: their timeouts and
// retries fit a function's own timeout, and they count the calls of each request.
package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Env looks a variable up. Lambda passes os.Getenv; the local stack passes the
// variables that template.yaml gives to one function.
type Env func(name string) string

// Stage is the environment a stack serves: local, test, acceptance or
// production.
type Stage string

// The stages, as the template's parameter Environment spells them.
const (
	Local      Stage = "local"
	Test       Stage = "test"
	Acceptance Stage = "acceptance"
	Production Stage = "production"
)

// Reader reads values and remembers all missing or malformed ones, so that a misconfigured function reports all
// errors at once.
type Reader struct {
	env    Env
	faults []string
}

// NewReader returns a Reader of env.
func NewReader(env Env) *Reader { return &Reader{env: env} }

// Required returns the value of name, which must be set.
func (r *Reader) Required(name string) string {
	v := r.env(name)
	if v == "" {
		r.faults = append(r.faults, name+" is not set")
	}
	return v
}

// Optional returns the value of name, or fallback if it is not set.
func (r *Reader) Optional(name, fallback string) string {
	if v := r.env(name); v != "" {
		return v
	}
	return fallback
}

// Int returns the whole number in name, which must be at least min, or fallback if
// it is not set.
func (r *Reader) Int(name string, fallback, min int) int {
	v := r.env(name)
	if v == "" {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < min {
		r.faults = append(r.faults, fmt.Sprintf("%s is not a whole number of at least %d", name, min))
		return fallback
	}
	return n
}

// Stage returns the value of ENVIRONMENT.
func (r *Reader) Stage() Stage {
	stage := Stage(r.env("ENVIRONMENT"))
	if !slices.Contains([]Stage{Local, Test, Acceptance, Production}, stage) {
		r.faults = append(r.faults, fmt.Sprintf("environment %q: want local, test, acceptance or production", stage))
		return ""
	}
	return stage
}

// Err returns an error that lists all missing or malformed variables, or nil.
func (r *Reader) Err() error {
	if len(r.faults) == 0 {
		return nil
	}
	return fmt.Errorf("configuration: %s", strings.Join(r.faults, "; "))
}
