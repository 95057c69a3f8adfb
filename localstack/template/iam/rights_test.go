package iam_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"aviso/localstack/template"
)

const root = "../../.."

// operations have the actions that an operation needs, where that is not the action of its name. In AWS's
// service authorization reference, only SendEmail leaves open which of the two a message in MIME needs.
var operations = map[string]string{
	"dynamodb.TransactWriteItems": "", // each of its parts counts
	"sqs.SendMessageBatch":        "sqs:SendMessage",
	"sesv2.SendEmail":             "ses:SendEmail ses:SendRawEmail",
}

// exception is a right of functions, and why it is one. Each field may have several, separated by spaces.
type exception struct{ functions, actions, resources, why string }

// unused are rights that no code uses.
var unused = []exception{
	{
		"bank-sync", "sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes sqs:ChangeMessageVisibility",
		"${SyncWaitQueue.Arn}", "Lambda asks for them even while the mapping is off",
	},
	{
		"outbox-relay bank-sync letter-dispatch webhook-delivery", "codedeploy:PutLifecycleEventHookExecutionStatus",
		template.ARN("codedeploy", "deploymentgroup:aviso-local-*/*"), "bootstrap.Main tells CodeDeploy, without the SDK",
	},
}

// idle are rights for calls that the code has, and never makes.
var idle = []exception{
	{"search", "dynamodb:GetItem dynamodb:PutItem", "${IdempotencyTable.Arn}", "it has no POST, whose answers are stored"},
	{"identity", "dynamodb:ConditionCheckItem", "${IdentityTable.Arn}", "in production nobody moves a clock"},
	{"clock", "dynamodb:Query", "${PfmTable.Arn}/index/due", "it asks for what is due of one user only"},
	{
		"webhook-delivery", "sqs:ChangeMessageVisibility", "${DeliveryQueue.Arn} ${RetryQueue.Arn}",
		"whatever has to wait is sent to RetryQueue",
	},
	{"console", "dynamodb:DeleteItem", "${PfmTable.Arn}", "it makes links and asks for reads, but ends no connection"},
	{"sandbox", "sqs:ChangeMessageVisibility", "${SandboxQueue.Arn}", "no step asks to wait"},
}

// unbound are functions that reach a table only if they are given one.
var unbound = map[string]string{
	"(aviso/internal/dynamo.Guard).Check": "a Guard that was given no table checks nothing",
}

// parameters returns the parameters of a stack.
func parameters(t *testing.T, environment string) map[string]string {
	t.Helper()
	secret := func(name string) string { return template.ARN("secretsmanager", "secret:"+name) }
	switch environment {
	case "local":
		return map[string]string{"Environment": "local"}
	case "full production":
		return map[string]string{
			"Environment": "production", "BaseUrl": "https://api.example", "MailDomain": "letters.example", "Console": "on",
			"PostCredentials": secret("post"), "FaxCredentials": secret("fax"), "EvidenceKey": secret("evidence"),
			"ConsoleSignIn": secret("sign-in"), "SecretsKeyArn": template.ARN("kms", "key/own"), "SyncWaitConcurrency": "5",
		}
	}
	given, err := template.Preset(root, environment)
	require.NoError(t, err)
	return given
}

// comparison compares policies with what code reaches.
type comparison struct {
	prog    *ssa.Program
	reached map[string]*reach // by function
	used    map[*exception]bool
	rights  map[string]bool // of all functions in all environments
	excess  map[string]bool // of those, the unused ones
}

func newComparison(t *testing.T) *comparison {
	t.Helper()
	return &comparison{
		prog: program(t), reached: map[string]*reach{}, used: map[*exception]bool{}, rights: map[string]bool{},
		excess: map[string]bool{},
	}
}

// faults returns in which rights the template in source differs from what the code needs.
func (c *comparison) faults(t *testing.T, source []byte, environments ...string) (faults []string) {
	t.Helper()
	for _, environment := range environments {
		parameters := parameters(t, environment)
		tpl, err := template.Parse(source, "template.yaml", func(name string) (string, bool) {
			value, given := parameters[name]
			return value, given
		})
		if err != nil {
			return append(faults, err.Error())
		}
		for _, f := range tpl.Functions {
			if c.reached[f.Name] == nil {
				c.reached[f.Name] = newReach(c.prog, indexes(tpl), f.Name)
			}
			need, have := needs(t, tpl, f, c.reached[f.Name]), map[string]instance{}
			for _, s := range f.Policies {
				for _, action := range s.Actions {
					for _, resource := range s.Resources {
						have[action+" on "+string(resource)] = instance{}
					}
				}
			}
			compare := func(what string, one, other map[string]instance, exceptions []exception) {
				for right, why := range one {
					if _, ok := other[right]; !ok && !c.excepted(f.Name, right, exceptions) {
						faults = append(faults, f.Name+": in "+environment+", "+right+" is "+what+"\n\t"+c.reached[f.Name].path(why))
					}
				}
			}
			compare("missing", need, have, idle)
			compare("never used", have, need, unused)
			for right := range have {
				_, isUsed := need[right]
				c.rights[f.Name+" "+right], c.excess[f.Name+" "+right] = true, !isUsed || c.excess[f.Name+" "+right]
			}
		}
	}
	return faults
}

// The policies of each function allow what its code can do, and nothing else.
func TestPoliciesAllowWhatTheCodeDoes(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(root + "/template.yaml")
	require.NoError(t, err)
	c := newComparison(t)
	for _, fault := range c.faults(t, source, "local", "test", "production", "full production") {
		t.Error(fault)
	}
	for _, list := range [][]exception{unused, idle} {
		for i := range list {
			assert.True(t, c.used[&list[i]], "there is no longer such a right: %v", list[i])
		}
	}
	maps.DeleteFunc(c.excess, func(_ string, is bool) bool { return !is })
	t.Logf("%d functions have %d rights, of which %d are unused for a reason", len(c.reached), len(c.rights),
		len(c.excess))

	// A resource of the template, a change there, and the fault that it makes.
	plants, err := os.ReadFile("testdata/plants.txt")
	require.NoError(t, err)
	for plant := range strings.Lines(string(plants)) {
		parts := strings.Split(strings.TrimSpace(plant), " | ")
		was, is, _ := strings.Cut(parts[1], " ->")
		t.Run(parts[2], func(t *testing.T) {
			before, resource, _ := strings.Cut(string(source), "\n  "+parts[0]+":\n")
			resource, after, _ := strings.Cut(resource, "\n\n")
			require.Contains(t, resource, was)
			planted := before + "\n  " + parts[0] + ":\n" +
				strings.Replace(resource, was, strings.TrimPrefix(is, " "), 1) + "\n\n" + after
			assert.Contains(t, strings.Join(c.faults(t, []byte(planted), "local", "full production"), "\n"), parts[2])
		})
	}
}

// excepted reports whether one of the exceptions is about a function's right.
func (c *comparison) excepted(function, right string, exceptions []exception) bool {
	action, resource, _ := strings.Cut(right, " on ")
	for i := range exceptions {
		e := &exceptions[i]
		if slices.Contains(strings.Fields(e.functions), function) && slices.Contains(strings.Fields(e.actions), action) &&
			slices.Contains(strings.Fields(e.resources), resource) {
			c.used[e] = true
			return true
		}
	}
	return false
}

// indexes returns the names of all indexes.
func indexes(tpl *template.Template) (names []string) {
	for _, table := range tpl.Tables {
		names = append(names, indexesOf(table)...)
	}
	return names
}

func indexesOf(table template.Table) (names []string) {
	for _, index := range table.Definition.LocalSecondaryIndexes {
		names = append(names, *index.IndexName)
	}
	for _, index := range table.Definition.GlobalSecondaryIndexes {
		names = append(names, *index.IndexName)
	}
	return names
}

// needs returns what a function's role has to allow, as "action on resource", and where it comes from.
func needs(t *testing.T, tpl *template.Template, f template.Function, r *reach) map[string]instance {
	t.Helper()
	all := map[string]instance{}
	add := func(why instance, resource, actions string) {
		for action := range strings.FieldsSeq(actions) {
			all[action+" on "+resource] = why
		}
	}
	assert.Empty(t, r.problems, f.Name)
	for _, c := range r.calls {
		actions, other := operations[c.operation]
		if !other {
			actions = strings.Replace(c.operation, ".", ":", 1)
		}
		resources, known := resourcesOf(tpl, f, c, slices.Sorted(maps.Keys(r.texts[c.input])))
		if !known && actions != "" {
			caller := r.from[c.in].fn
			assert.Contains(t, unbound, caller.String(), "%s: what does %s use?\n\t%s", f.Name, c.operation, r.path(c.in))
		}
		for _, resource := range resources {
			add(c.in, resource, actions)
			if own := tpl.Parameters["SecretsKeyArn"]; own != "" && strings.HasPrefix(c.operation, "secretsmanager.") &&
				!strings.HasPrefix(resource, "${") { // the stack's own secrets have no key of their own
				add(c.in, own, "kms:Decrypt")
			}
		}
	}
	var lambda instance // uses the role, too
	add(lambda, "${"+f.LogGroup+".Arn}", "logs:CreateLogStream logs:PutLogEvents")
	add(lambda, "*", "xray:PutTraceSegments xray:PutTelemetryRecords")
	failures := []string{f.FailureQueue}
	for _, m := range tpl.QueueMappings {
		if m.Function == f.ID {
			add(lambda, "${"+m.Queue+".Arn}", "sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes")
		}
	}
	for _, m := range tpl.Streams {
		if m.Function == f.ID {
			add(lambda, "${"+m.Table+".Arn}/stream/*", "dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator")
			add(lambda, "*", "dynamodb:ListStreams")
			failures = append(failures, m.FailureQueue)
		}
	}
	for _, queue := range failures {
		if queue != "" {
			add(lambda, "${"+queue+".Arn}", "sqs:SendMessage")
		}
	}
	return all
}

// resourcesOf returns what a call uses, given the texts in its input: none if the environment has no such
// thing. known is false if the texts do not say.
func resourcesOf(tpl *template.Template, f template.Function, c call, texts []string) (all []string, known bool) {
	kind, _, _ := strings.Cut(c.operation, ".")
	if kind == "sesv2" {
		set, from := string(f.Environment["MAIL_CONFIGURATION_SET"]), string(f.Environment["MAIL_FROM"])
		if from != "" {
			_, domain, _ := strings.Cut(from, "@")
			all = []string{template.ARN("ses", "identity/"+domain), template.ARN("ses", "configuration-set/"+set)}
		}
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "env:REPLY_ADDRESS" }) // only in the mail
		return all, slices.Equal(texts, []string{"env:MAIL_CONFIGURATION_SET", "env:MAIL_FROM"})
	}
	var names []string // of indexes
	for _, text := range texts {
		what, name, _ := strings.Cut(text, ":")
		switch {
		case what == "index":
			names = append(names, name)
		case what == "banks": // operators create them
			all = append(all, template.ARN("secretsmanager", "secret:aviso/"+tpl.Parameters["Environment"]+"/banks/*"))
			known = true
		case name != "ENVIRONMENT":
			known = true
			for value := range strings.FieldsSeq(string(f.Environment[name])) {
				all = append(all, resourceOf(tpl, f, kind, name, value))
			}
		}
	}
	if !strings.HasSuffix(c.operation, ".Query") && !strings.HasSuffix(c.operation, ".Scan") {
		return all, known
	}
	var paths []string
	for _, table := range all {
		definition, _ := tpl.Table(strings.TrimSuffix(strings.TrimPrefix(table, "${"), ".Arn}"))
		for _, index := range names {
			if index == "" {
				paths = append(paths, table)
			} else if known = known && slices.Contains(indexesOf(definition), index); known {
				paths = append(paths, table+"/index/"+index)
			}
		}
	}
	return paths, known && len(names) > 0
}

// resourceOf returns the resource that a variable names to a service.
func resourceOf(tpl *template.Template, f template.Function, service, variable, value string) string {
	id := strings.TrimSuffix(strings.TrimPrefix(value, "${"), "}")
	_, isTable := tpl.Table(id)
	_, isQueue := tpl.Queue(id)
	switch {
	case service == "dynamodb" && isTable, service == "sqs" && isQueue:
		return "${" + id + ".Arn}"
	case service == "secretsmanager":
		return value
	}
	return variable + "=" + value // which nothing allows
}
