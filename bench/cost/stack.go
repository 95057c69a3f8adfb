package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"aviso/localstack/template"
)

const (
	testEnvironment       = "test"
	productionEnvironment = "production"
)

// stack is what template.yaml deploys in an environment, as samconfig.toml has it.
type stack struct {
	environment  string
	alarmMetrics int
	composites   int
	secrets      int
	keys         int
	dashboards   int
	// queues are the event sources that Lambda polls.
	queues           int
	deadLetterQueues int
	// schedules run housekeeping every minute.
	schedules int
	// memory is each function's, in GB.
	memory map[string]float64
	// copyDays is for how long the vault keeps a copy of PfmTable.
	copyDays int
	// hasTraces reports whether X-Ray traces every function, hasSyncWaits whether what waits
	// for a bank has a queue of its own.
	hasTraces, hasSyncWaits bool
}

// resource has what matters here. Intrinsic functions are read as text or not at all.
type resource struct {
	Type       string               `yaml:"Type"`
	Condition  string               `yaml:"Condition"`
	Properties map[string]yaml.Node `yaml:"Properties"`
}

// sandboxOnly and alarmsOnly are conditions that not every environment meets.
func (s stack) has(condition string, alarms, letters bool) bool {
	switch condition {
	case "HasSandbox":
		return s.environment != productionEnvironment
	case "HasAlarms":
		return alarms
	case "HasMailAlarms", "HasLetterAlarms":
		return alarms && letters
	case "HasSandboxAlarms":
		return alarms && s.environment != productionEnvironment
	case "HasSyncWaits":
		return s.hasSyncWaits
	case "HasSyncWaitAlarms":
		return alarms && s.hasSyncWaits
	case "IsDurable":
		return s.environment != testEnvironment
	case "HasBackupAlarms":
		return alarms && s.environment != testEnvironment
	default:
		return true
	}
}

func readStack(checkout, environment string) (stack, error) {
	s := stack{environment: environment, memory: map[string]float64{}}
	raw, err := os.ReadFile(filepath.Join(checkout, "template.yaml"))
	if err != nil {
		return stack{}, fmt.Errorf("read the template: %w", err)
	}
	var t struct {
		Parameters map[string]struct {
			Default yaml.Node `yaml:"Default"`
		} `yaml:"Parameters"`
		Globals struct {
			Function struct {
				MemorySize int `yaml:"MemorySize"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]resource `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(raw, &t); err != nil {
		return stack{}, fmt.Errorf("read the template: %w", err)
	}
	given, err := template.Preset(checkout, environment)
	if err != nil {
		return stack{}, err
	}
	parameter := func(name string) string {
		if value, ok := given[name]; ok {
			return value
		}
		return t.Parameters[name].Default.Value
	}
	alarms := parameter("Alarms") == "true"
	letters := parameter("MailDomain") != ""
	s.hasTraces = parameter("Tracing") == "Active"
	s.hasSyncWaits = parameter("SyncWaitConcurrency") != "0"
	for id, r := range t.Resources {
		if !s.has(r.Condition, alarms, letters) {
			continue
		}
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			s.alarmMetrics += metricsIn(r)
		case "AWS::CloudWatch::CompositeAlarm":
			s.composites++
		case "AWS::SQS::Queue":
			if strings.HasSuffix(id, "DeadLetters") {
				s.deadLetterQueues++
			}
		case "AWS::SecretsManager::Secret":
			s.secrets++
		case "AWS::KMS::Key":
			s.keys++
		case "AWS::CloudWatch::Dashboard":
			s.dashboards++
		case "AWS::Backup::BackupPlan":
			if id == "WeeklyBackup" {
				s.copyDays = daysOf(r)
			}
		case "AWS::Serverless::Function":
			events := r.Properties["Events"]
			s.queues += s.eventsIn(&events, "SQS")
			s.schedules += s.eventsIn(&events, "ScheduleV2")
			size := t.Globals.Function.MemorySize
			if own := r.Properties["MemorySize"]; own.Value != "" {
				if err := own.Decode(&size); err != nil {
					return stack{}, fmt.Errorf("memory of %s: %w", id, err)
				}
			}
			s.memory[strings.TrimSuffix(id, "Function")] = float64(size) / 1024
		}
	}
	return s, nil
}

// metricsIn counts the metrics of an alarm, each of which is billed.
func metricsIn(alarm resource) int {
	queries, ok := alarm.Properties["Metrics"]
	if !ok {
		return 1
	}
	n := 0
	for _, query := range queries.Content {
		for i := 0; i < len(query.Content); i += 2 {
			if query.Content[i].Value == "MetricStat" {
				n++
			}
		}
	}
	return n
}

// daysOf returns for how long the first rule of a backup plan keeps copies.
func daysOf(plan resource) int {
	var p struct {
		Rules []struct {
			Lifecycle struct {
				DeleteAfterDays int `yaml:"DeleteAfterDays"`
			} `yaml:"Lifecycle"`
		} `yaml:"BackupPlanRule"`
	}
	node := plan.Properties["BackupPlan"]
	if node.Decode(&p) != nil || len(p.Rules) == 0 {
		return 0
	}
	return p.Rules[0].Lifecycle.DeleteAfterDays
}

// eventsIn counts the event sources of a type that are on.
func (s stack) eventsIn(events *yaml.Node, kind string) int {
	n := 0
	for i := 1; i < len(events.Content); i += 2 {
		isKind, on := false, true
		event := members(events.Content[i])
		if t := event["Type"]; t != nil {
			isKind = t.Value == kind
		}
		if choice := members(event["Properties"])["Enabled"]; choice != nil && choice.Tag == "!If" {
			on = s.has(choice.Content[0].Value, true, true)
		}
		if isKind && on {
			n++
		}
	}
	return n
}

// members returns the members of a mapping.
func members(mapping *yaml.Node) map[string]*yaml.Node {
	found := map[string]*yaml.Node{}
	if mapping != nil {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			found[mapping.Content[i].Value] = mapping.Content[i+1]
		}
	}
	return found
}
