package template_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// canary is for how long a new version gets a tenth of the calls, in seconds.
const canary = 600

// workers are the functions behind queues and the stream whose new versions prove themselves, too.
var workers = []string{"OutboxRelayFunction", "BankSyncFunction", "LetterDispatchFunction", "WebhookDeliveryFunction"}

// isGradual reports whether a new version of a function first gets a tenth of the calls or batches.
func isGradual(id string, f map[string]any) bool {
	return len(events(f, "HttpApi")) > 0 || slices.Contains(workers, id)
}

// A new version behind the API, or of a worker that others wait for, proves itself with a tenth of the calls. What
// the clock or operators start is replaced at once (docs/deploy.md says why).
func TestNewVersionsProveThemselves(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if !isGradual(id, f) {
				for _, member := range []string{"AutoPublishAlias", "DeploymentPreference", "VersionDescription"} {
					assert.Nil(t, at(f, "Properties", member), member)
				}
				return
			}
			assert.Equal(t, "live", at(f, "Properties", "AutoPublishAlias"))
			// Otherwise, only new code is published, and a new time-out is not.
			assert.Equal(t, true, at(f, "Properties", "AutoPublishAliasAllProperties"))
			// What is kept fills Lambda's storage, and stops a second try after a rollback.
			assert.Equal(t, "Delete", at(f, "Properties", "VersionDeletionPolicy"))
			preference := at(f, "Properties", "DeploymentPreference")
			assert.Equal(t, map[string]any{"Ref": "GradualDeployment"}, at(preference, "Enabled"))
			assert.Equal(t, "Canary10Percent10Minutes", at(preference, "Type"))
			assert.Equal(t, []string{"DeploymentRole"}, named(at(preference, "Role")), "SAM's own role may do more")
			assert.Equal(t, f["Condition"] != nil, at(preference, "PassthroughCondition") == true)
			var tries any
			if slices.Contains(workers, id) {
				tries = map[string]any{"Ref": id} // by itself, so that a version that cannot start gets no batch
			}
			assert.Equal(t, tries, at(preference, "Hooks", "PreTraffic"))
			choice, _ := at(preference, "Alarms", "Fn::If").([]any)
			require.Len(t, choice, 3)
			name := strings.TrimSuffix(id, "Function")
			assert.Equal(t, []string{name + "Broken"}, named(choice[1]), "nothing else may stop it")
			alarm := d.resources[name+"Broken"]
			require.NotNil(t, alarm)
			assert.Equal(t, alarm["Condition"], choice[0])
			window := 0
			for _, m := range metricsOf(alarm) {
				if at(m, "MetricName") == nil {
					continue
				}
				dimensions := named(at(m, "Dimensions"))
				for _, other := range dimensions {
					assert.Contains(t, []string{id, "AWS::StackName"}, other, "of another function")
				}
				assert.Contains(t, fmt.Sprint(at(m, "Dimensions")), "Fn::GetAtt:"+id+".Version.Version", "of another version")
			}
			for _, m := range append(list(at(alarm, "Properties", "Metrics")), alarm["Properties"]) {
				for _, period := range []any{at(m, "Period"), at(m, "MetricStat", "Period")} {
					seconds, _ := period.(int)
					window = max(window, seconds*at(alarm, "Properties", "EvaluationPeriods").(int))
				}
			}
			assert.Positive(t, window)
			assert.LessOrEqual(t, 2*window, canary, "it fires when it is too late")
			computed, metrics := expressions(alarm)
			if f["Condition"] != nil || slices.Contains(workers, id) {
				return // a worker has no answers, the sandbox fails on purpose, and the console writes no such line
			}
			assert.Equal(t, map[string]string{
				"broken": "IF(FILL(crashes, 0) > 0 OR (FILL(failures, 0) > 2 AND 200 * FILL(failures, 0) > FILL(calls, 0)), 1, 0)",
			}, computed)
			assert.Equal(t, kebab(name), at(list(at(metrics["failures"], "Metric", "Dimensions"))[1], "Value"))
		})
	}
}

// kebab returns the name that a function has in its log lines.
func kebab(name string) string {
	return strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "$1-$2"))
}

// SAM publishes a version if the template's text about a function changes. A parameter's
// value is not in that text: without it in the description, which replaces the version,
// an update would leave the old value in use.
func TestVersionsFollowTheParameters(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		if !isGradual(id, f) {
			continue
		}
		var used []string
		for _, member := range []string{"Environment", "Timeout", "MemorySize", "Tracing", "LoggingConfig"} {
			used = append(used, named(d.property(id, member))...)
		}
		used = slices.DeleteFunc(used, func(name string) bool {
			return d.parameters[name] == nil || name == "Environment" // which never changes
		})
		slices.Sort(used)
		// Any other would ask Lambda for a version that is like the last, which it refuses.
		described := slices.DeleteFunc(named(at(f, "Properties", "VersionDescription")), func(name string) bool {
			return d.parameters[name] == nil
		})
		assert.Equal(t, slices.Compact(used), described, id)
	}
}

// API Gateway, and everything else that calls these functions, calls the alias.
func TestCallersUseTheAlias(t *testing.T) {
	t.Parallel()
	resources, err := transformed()
	require.NoError(t, err)
	d := readDeployed(t)
	const alias = "Aliaslive"
	for id, f := range d.ofType("AWS::Serverless::Function") {
		if !isGradual(id, f) {
			continue
		}
		group := map[string]any{
			"ApplicationName":     map[string]any{"Ref": "ServerlessDeploymentApplication"},
			"DeploymentGroupName": map[string]any{"Ref": id + "DeploymentGroup"},
		}
		if slices.Contains(workers, id) {
			group["BeforeAllowTrafficHook"] = map[string]any{"Ref": id}
		}
		assert.Equal(t, group, at(resources[id+alias], "UpdatePolicy", "CodeDeployLambdaAliasUpdate"), id)
		assert.Equal(t, f["Condition"], resources[id+"DeploymentGroup"]["Condition"], id)
	}
	called := 0
	for id, r := range resources {
		switch r["Type"] {
		case "AWS::Lambda::Permission", "AWS::Lambda::EventSourceMapping", "AWS::Events::Rule", "AWS::Scheduler::Schedule",
			"AWS::ApiGatewayV2::Api", "AWS::Lambda::EventInvokeConfig":
		default:
			continue
		}
		p := r["Properties"].(map[string]any)
		for _, function := range calledBy(p) {
			called++
			name := strings.TrimSuffix(function, alias)
			gradual := isGradual(name, d.resources[name])
			assert.Equal(t, gradual, name != function || p["Qualifier"] == "live", "%s calls %s", id, function)
		}
	}
	assert.Greater(t, called, 30)
}

// calledBy returns the logical IDs of functions and their aliases in a value, at any depth.
func calledBy(value any) []string {
	var found []string
	for _, id := range namedAnywhere(value) {
		if strings.HasSuffix(strings.TrimSuffix(id, "Aliaslive"), "Function") {
			found = append(found, id)
		}
	}
	return found
}

// namedAnywhere is named for the long forms of SAM's transform: a list after Fn::GetAtt and
// any text after Fn::Sub.
func namedAnywhere(value any) []string {
	switch v := value.(type) {
	case map[string]any:
		if attribute, ok := v["Fn::GetAtt"].([]any); ok {
			return []string{fmt.Sprint(attribute[0])}
		}
		var found []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name == "Ref" || name == "Fn::Sub" {
				found = append(found, named(map[string]any{name: v[name]})...)
				continue
			}
			found = append(found, namedAnywhere(v[name])...)
		}
		return found
	case []any:
		var found []string
		for _, inner := range v {
			found = append(found, namedAnywhere(inner)...)
		}
		return found
	}
	return nil
}

// A deployment that alarms cannot stop only takes longer.
func TestGradualDeploymentsNeedAlarms(t *testing.T) {
	t.Parallel()
	for _, s := range stacks(t, func(map[string]any) {}) {
		gradual := s.parameters["GradualDeployment"]
		assert.Equal(t, s.name != "aviso-test", gradual == "true", s.name)
		groups := s.of("AWS::CodeDeploy::DeploymentGroup")
		assert.Equal(t, gradual == "true", len(groups) > 0, s.name)
		for id, group := range groups {
			assert.NotEmpty(t, at(group, "AlarmConfiguration", "Alarms"), "%s %s", s.name, id)
			assert.Equal(t, true, at(group, "AutoRollbackConfiguration", "Enabled"), "%s %s", s.name, id)
		}
	}
}

// CodeDeploy shifts the calls with a role that can do nothing else.
func TestTheDeploymentRoleOnlyShiftsCalls(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	role := d.resources["DeploymentRole"]
	require.NotNil(t, role)
	assert.Equal(t, "codedeploy.amazonaws.com",
		at(list(at(role, "Properties", "AssumeRolePolicyDocument", "Statement"))[0], "Principal", "Service"))
	var aliases []string
	for _, s := range roleStatements(role) {
		if slices.Contains(list(s["Action"]), any("lambda:UpdateAlias")) {
			aliases = slices.DeleteFunc(named(s["Resource"]), func(name string) bool { return d.resources[name] == nil })
		}
	}
	var gradual []string
	for id, f := range d.ofType("AWS::Serverless::Function") {
		// The role has LetterDispatchFunction by its name, or they would wait for each other.
		if isGradual(id, f) && id != "LetterDispatchFunction" {
			gradual = append(gradual, id)
		}
	}
	assert.ElementsMatch(t, gradual, aliases)
}

// CloudFormation refuses resources that wait for each other. cfn-lint does not look into an
// update policy: an alarm on the API that stops a deployment would be such a circle.
func TestNothingWaitsForItself(t *testing.T) {
	t.Parallel()
	resources, err := transformed()
	require.NoError(t, err)
	waits := func(id string) []string {
		r := resources[id]
		found := namedAnywhere([]any{r["Properties"], r["UpdatePolicy"]})
		for _, other := range list(r["DependsOn"]) {
			found = append(found, fmt.Sprint(other))
		}
		return found
	}
	settled := map[string]bool{}
	var visit func(id string, path []string)
	visit = func(id string, path []string) {
		if resources[id] == nil || settled[id] {
			return
		}
		if slices.Contains(path, id) {
			t.Errorf("a circle: %v", append(path, id))
			return
		}
		for _, other := range waits(id) {
			visit(other, append(path, id))
		}
		settled[id] = true
	}
	for id := range resources {
		visit(id, nil)
	}
}
