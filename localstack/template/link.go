package template

import "slices"

// link connects what refers to each other, and checks that it is of the right kind, and that
// roles allow what Lambda does with them: read event sources and send failures.
func (s *scope) link(t *Template) {
	for _, read := range s.later {
		read()
	}
	at := func(id string, format string, args ...any) { s.fault(s.resources[id], format, args...) }
	isQueue := func(owner, id, what string) {
		if _, ok := t.Queue(id); id != "" && !ok {
			at(owner, "%s %s %s, which is not a queue", owner, what, id)
		}
	}
	need := func(function, on string, actions ...string) {
		f, _ := t.Function(function)
		for _, action := range actions {
			if f.role != "" && !slices.ContainsFunc(f.Policies, func(p Statement) bool {
				return slices.Contains(p.Actions, action) && slices.Contains(p.Resources, Value(on))
			}) {
				at(function, "%s of %s does not allow Lambda %s on %s", f.role, function, action, on)
			}
		}
	}
	for i := range t.Functions {
		f, ok := &t.Functions[i], false
		if f.Policies, ok = s.roles[f.role]; f.role != "" && !ok {
			at(f.ID, "%s has the role %s, which is not a role", f.ID, f.role)
		}
		if isQueue(f.ID, f.FailureQueue, "sends failures to"); f.FailureQueue != "" {
			need(f.ID, "${"+f.FailureQueue+".Arn}", "sqs:SendMessage")
		}
	}
	for i := range t.LogSubscriptions {
		l, ok := &t.LogSubscriptions[i], false
		if l.GroupName, ok = s.groups[l.LogGroup]; !ok {
			at(l.Function, "%s reads the lines of %s, which is not a log group", l.Function, l.LogGroup)
		}
	}
	for _, m := range t.Streams {
		if table, ok := t.Table(m.Table); !ok {
			at(m.Function, "%s reads the stream of %s, which is not a table", m.Function, m.Table)
		} else if table.Stream == "" {
			at(m.Function, "%s reads the stream of %s, which has none", m.Function, m.Table)
		}
		need(m.Function, "${"+m.Table+".Arn}/stream/*",
			"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
		need(m.Function, "*", "dynamodb:ListStreams")
		if isQueue(m.Function, m.FailureQueue, "sends failures to"); m.FailureQueue != "" {
			need(m.Function, "${"+m.FailureQueue+".Arn}", "sqs:SendMessage")
		}
	}
	for _, m := range t.QueueMappings {
		isQueue(m.Function, m.Queue, "reads")
		queue, ok := t.Queue(m.Queue)
		if function, _ := t.Function(m.Function); ok && queue.VisibilityTimeout < function.Timeout {
			at(m.Function, "%s may take longer than the visibility timeout of %s, which AWS rejects", m.Function, m.Queue)
		}
		need(m.Function, "${"+m.Queue+".Arn}", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
	}
	for _, q := range t.Queues {
		isQueue(q.ID, q.DeadLetters, "sends its dead letters to")
	}
}
