package template_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deploy runs ops/deploy.py in a folder where aws and sam are scripts that note their
// calls. It returns its output, the calls, and whether it succeeded.
//
// stack is what describe-stacks answers until sam has been called, and then is Created.
func deploy(t *testing.T, stack, unreserved, parameters string, arguments ...string) (output, calls string, ok bool) {
	t.Helper()
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
	}
	for from, to := range map[string]string{"../../ops/deploy.py": "ops/deploy.py", "../../template.yaml": "template.yaml"} {
		content, err := os.ReadFile(from)
		require.NoError(t, err)
		write(to, string(content), 0o600)
	}
	write("samconfig.toml", "[acceptance.deploy.parameters]\nstack_name = \"aviso-acceptance\"\nregion = \"eu-central-1\"\n"+
		"parameter_overrides = [\"Environment=acceptance\", "+parameters+"]\n", 0o600)
	write(".tools/venv/bin/sam", "#!/bin/sh\necho \"sam $*\" >> calls\n", 0o700)
	described := "echo 'Stack with id aviso-acceptance does not exist' >&2; exit 254"
	if stack != "" {
		described = "echo '{\"Stacks\": [" + stack + "]}'"
	}
	bootstrap := `echo '{"Stacks": [{"StackStatus": "CREATE_COMPLETE", "Outputs": [
		{"OutputKey": "Bucket", "OutputValue": "code"}, {"OutputKey": "CloudFormationRoleArn", "OutputValue": "role"},
		{"OutputKey": "FunctionBoundaryArn", "OutputValue": "boundary"}]}]}'`
	if parameters == unprotectedOnly {
		bootstrap = "echo 'Stack with id aviso-bootstrap does not exist' >&2; exit 254"
	}
	write("bin/aws", "#!/bin/sh\n[ \"$AWS_REGION\" = eu-central-1 ] || exit 1\ncase \"$*\" in\n"+
		"*describe-stacks*aviso-bootstrap*) "+bootstrap+" ;;\n*describe-stacks*) "+
		"if grep -q ^sam calls 2>/dev/null && [ -z \"$DECLINED\" ]; "+
		"then echo '{\"Stacks\": [{\"StackStatus\": \"CREATE_COMPLETE\"}]}'; else "+described+"; fi ;;\n"+
		"*get-account-settings*) echo '{\"AccountLimit\": {\"ConcurrentExecutions\": 1000, \"UnreservedConcurrentExecutions\": "+
		unreserved+"}}' ;;\n*) echo \"aws $*\" >> calls ;;\nesac\n", 0o700)
	python, err := filepath.Abs("../../.tools/venv/bin/python")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, python, append([]string{"ops/deploy.py", "acceptance"}, arguments...)...)
	path := "PATH=" + filepath.Join(folder, "bin") + ":" + os.Getenv("PATH")
	command.Dir, command.Env = folder, append(os.Environ(), "CI="+os.Getenv("PIPELINE"), path)
	out, err := command.CombinedOutput()
	noted, _ := os.ReadFile(filepath.Join(folder, "calls"))
	return string(out), strings.ReplaceAll(string(noted), folder+"/ops/stack-policy.json", "POLICY"), err == nil
}

const (
	protected = `"DeletionProtection=true", "ReserveConcurrency=false"`
	// The stand-in has no bootstrap stack for this one.
	unprotectedOnly = `"Bootstrap=no"`
	reserving       = `"DeletionProtection=true", "ReserveConcurrency=true"`
	call            = "sam deploy --config-env acceptance --s3-bucket code --role-arn role --parameter-overrides "
	unprotected     = call + "Environment=acceptance DeletionProtection=false ReserveConcurrency=false " + ofAccount
	guarded         = "aws cloudformation set-stack-policy --stack-name aviso-acceptance --stack-policy-body file://POLICY --output json\n" +
		"aws cloudformation update-termination-protection --stack-name aviso-acceptance --enable-termination-protection --output json\n"
	usual     = call + "Environment=acceptance DeletionProtection=true ReserveConcurrency=false " + ofAccount
	ofAccount = "AccountConcurrency=1000 RoleBoundaryArn=boundary\n"
)

func TestDeploy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stack, calls string }{
		"the first time, tables are protected in a second step": {"", unprotected + usual + guarded},
		"later, in one":              {`{"StackStatus": "UPDATE_COMPLETE"}`, usual + guarded},
		"after a failed update, too": {`{"StackStatus": "UPDATE_ROLLBACK_COMPLETE"}`, usual + guarded},
		"after a failed creation, the empty stack goes first": {
			`{"StackStatus": "ROLLBACK_COMPLETE"}`,
			"aws cloudformation delete-stack --stack-name aviso-acceptance --output json\n" +
				"aws cloudformation wait stack-delete-complete --stack-name aviso-acceptance --output json\n" + unprotected + usual + guarded,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, calls, ok := deploy(t, c.stack, "1000", protected)
			assert.True(t, ok, output)
			assert.Equal(t, c.calls, calls)
		})
	}
	t.Run("a stack that could not be rolled back needs a person", func(t *testing.T) {
		t.Parallel()
		output, calls, ok := deploy(t, `{"StackStatus": "ROLLBACK_FAILED"}`, "1000", protected)
		assert.False(t, ok)
		assert.Empty(t, calls)
		_, anchor, _ := strings.Cut(output, "docs/runbook.md#")
		anchor, _, _ = strings.Cut(anchor, " ")
		assert.True(t, runbookHeadings(t)[anchor], output)
	})
}

// sam deploy succeeds, too, if the person says no to the change set.
func TestDeclinedDeployment(t *testing.T) {
	t.Setenv("DECLINED", "yes")
	_, calls, ok := deploy(t, `{"StackStatus": "REVIEW_IN_PROGRESS"}`, "1000", protected)
	assert.False(t, ok)
	assert.Equal(t, unprotected, calls, "the second step would create the tables protected")
}

// The pipeline has its own reviewers, and nobody sits at its terminal.
func TestDeployAsksOnlyPeople(t *testing.T) {
	t.Setenv("PIPELINE", "true")
	output, calls, ok := deploy(t, `{"StackStatus": "UPDATE_COMPLETE"}`, "1000", protected)
	assert.True(t, ok, output)
	assert.Equal(t, strings.Replace(usual, "--parameter", "--no-confirm-changeset --parameter", 1), calls)
}

// To roll back, nobody waits for a canary, which would not even start while an alarm is on.
func TestDeployAtOnce(t *testing.T) {
	t.Parallel()
	gradual := protected + `, "GradualDeployment=true"`
	for _, arguments := range [][]string{nil, {"--at-once"}} {
		output, calls, ok := deploy(t, `{"StackStatus": "UPDATE_COMPLETE"}`, "1000", gradual, arguments...)
		assert.True(t, ok, output)
		want := strconv.FormatBool(arguments == nil)
		assert.Equal(t, strings.Replace(usual, "AccountC", "GradualDeployment="+want+" AccountC", 1)+guarded, calls)
	}
}

func TestDeployWithoutABootstrapStack(t *testing.T) {
	t.Parallel()
	output, calls, ok := deploy(t, "", "1000", unprotectedOnly)
	assert.True(t, ok, output)
	assert.Equal(t, "sam deploy --config-env acceptance --resolve-s3 --parameter-overrides Environment=acceptance Bootstrap=no "+
		"AccountConcurrency=1000\n", calls)
	assert.Contains(t, output, "docs/deploy.md")
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stack, unreserved, parameters string
		ok                            bool
	}{
		"nothing is reserved in a new account":     {"", "10", protected, true},
		"a new account has too little":             {"", "10", reserving, false},
		"the second stack finds too little":        {"", "350", reserving, false},
		"enough for one stack":                     {"", "750", reserving, true},
		"one short":                                {"", "749", reserving, false},
		"what the stack has already counts for it": {`{"StackStatus": "UPDATE_COMPLETE", "Parameters": [{"ParameterKey": "ReserveConcurrency", "ParameterValue": "true"}]}`, "100", reserving, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, calls, ok := deploy(t, c.stack, c.unreserved, c.parameters, "--check")
			assert.Equal(t, c.ok, ok, output)
			assert.Empty(t, calls, "it changes nothing")
			if !ok {
				assert.Contains(t, output, "request-service-quota-increase")
			}
		})
	}
}
