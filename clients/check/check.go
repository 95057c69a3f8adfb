package main

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// result is a row of the table.
type result struct {
	name, version string
	// passed says of the columns that were reached whether they passed.
	passed map[string]bool
	// failure is the first that did not.
	failure error
}

// errNoTool reports that a step's compiler cannot be had here. The document may be right.
var errNoTool = errors.New("the rest is not run: no tool")

// noTool is the status of a step that lacks a tool (no_tool in the script tools).
const noTool = 3

func columns() []string {
	return []string{"Generates", "Compiles", "Journey", "Money", "Errors", "New values and members"}
}

// check runs a generator's steps. Those after one that fails are not run.
func (j *judge) check(name string) result {
	r := result{name: name, passed: map[string]bool{}}
	folder := filepath.Join(j.folder, name)
	if err := errors.Join(os.RemoveAll(folder), os.CopyFS(folder, os.DirFS(filepath.Join(source, name)))); err != nil {
		r.failure = err
		return r
	}
	out, err := j.step(folder, "version")
	r.version = strings.TrimSpace(out)
	for _, step := range []struct{ column, function string }{{"Generates", "generate"}, {"Compiles", "compile"}} {
		if err != nil {
			break
		}
		if _, err = j.step(folder, step.function); !errors.Is(err, errNoTool) {
			r.passed[step.column] = err == nil
		}
	}
	if err == nil {
		out, err = j.step(folder, "journey")
		r.passed["Journey"] = err == nil
	}
	if err == nil {
		err = j.judge(&r, out)
	}
	r.failure = err
	return r
}

// step runs a function of the generator's script and returns what it prints.
func (j *judge) step(folder, function string) (string, error) {
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	document, err := filepath.Abs("docs/openapi.yaml")
	if err != nil {
		return "", err
	}
	script := exec.Command("bash", "-euc", "source ../../../"+source+"/tools; source ./steps; "+function)
	script.Dir, script.Stderr = folder, log
	script.Env = append(os.Environ(), "DOCUMENT="+document, "TOOLS="+filepath.Join(j.folder, "tools"),
		"BASE_URL="+j.address, "FUTURE_URL="+j.server.URL, "APPROVE_URL="+j.server.URL+"/approve/")
	out, err := script.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == noTool {
		err = errNoTool
	} else if err != nil {
		err = fmt.Errorf("%s: %w", function, err)
	}
	_, logged := log.Write(out)
	return string(out), errors.Join(err, logged, log.Close())
}

// judge compares what the journey has printed, a fact on each line, with what it should.
func (j *judge) judge(r *result, out string) error {
	facts := map[string]string{}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		facts[name] = value
	}
	count, sum, err := j.partner.totals(facts["user"])
	if err != nil {
		return err
	}
	amounts, future := amounts(), strings.Fields(facts["future"])
	if len(future) != len(amounts)+3 {
		return fmt.Errorf("the journey did not reach the future: %q", out)
	}
	exact := facts["sum"] == sum.FloatString(2)
	for i, amount := range amounts {
		want, _ := new(big.Rat).SetString(string(amount))
		got, isNumber := new(big.Rat).SetString(future[i])
		exact = exact && isNumber && got.Cmp(want) == 0
	}
	r.passed["Journey"] = facts["accounts"] == "6" && facts["transactions"] == fmt.Sprint(count)
	r.passed["Money"] = exact
	r.passed["Errors"] = facts["error"] == "404 not_found"
	r.passed["New values and members"] = strings.Join(future[len(amounts):], " ") == later+" "+later+" "+later
	for _, column := range columns() {
		if !r.passed[column] {
			return fmt.Errorf("%s: want %d transactions with the sum %s, got\n%s", column, count, sum.FloatString(2), out)
		}
	}
	return nil
}

// writeRow replaces the generator's row in docs/clients.md.
func writeRow(r result) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	var row strings.Builder
	fmt.Fprintf(&row, "| %s | %s |", r.name, r.version)
	for _, column := range columns() {
		cell := "not run"
		if passed, reached := r.passed[column]; reached {
			cell = map[bool]string{true: "yes", false: "no"}[passed]
		}
		row.WriteString(" " + cell + " |")
	}
	old := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(r.name) + ` \|.*( (yes|no|not run) \|){6}$`)
	if !old.Match(text) {
		return fmt.Errorf("%s has no row for %s", page, r.name)
	}
	return os.WriteFile(page, old.ReplaceAllLiteral(text, []byte(row.String())), 0o644)
}
