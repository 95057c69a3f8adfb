package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"aviso/localstack/template"
)

const testEnvironment, productionEnvironment = "test", "production"

// stack is what template.yaml deploys in an environment, as samconfig.toml has it.
type stack struct {
	alarmMetrics, composites, secrets, keys, dashboards int
	// queues are the event sources that Lambda polls, schedules run housekeeping every minute.
	queues, deadLetterQueues, schedules int
	// memory is each function's, in GB.
	memory map[string]float64
	// copyDays is for how long the vault keeps a copy of PfmTable.
	copyDays int
	// hasTraces reports whether X-Ray traces every function.
	hasTraces bool
}

// source is what the local stack does not read of the template.
type source struct {
	Resources map[string]struct {
		Type       string `yaml:"Type"`
		Properties struct {
			Metrics    []map[string]yaml.Node `yaml:"Metrics"`
			BackupPlan struct {
				Rules []struct {
					Lifecycle struct {
						DeleteAfterDays int `yaml:"DeleteAfterDays"`
					} `yaml:"Lifecycle"`
				} `yaml:"BackupPlanRule"`
			} `yaml:"BackupPlan"`
		} `yaml:"Properties"`
	} `yaml:"Resources"`
}

func readStack(checkout, environment string) (stack, error) {
	file := filepath.Join(checkout, "template.yaml")
	given, err := template.Preset(checkout, environment)
	if err != nil {
		return stack{}, err
	}
	given["Environment"] = environment
	tpl, err := template.Load(file, func(name string) (string, bool) {
		value, ok := given[name]
		return value, ok
	})
	if err != nil {
		return stack{}, err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return stack{}, fmt.Errorf("read the template: %w", err)
	}
	var src source
	if err := yaml.Unmarshal(raw, &src); err != nil {
		return stack{}, fmt.Errorf("read the template: %w", err)
	}
	s := stack{
		secrets: len(tpl.Secrets), queues: len(tpl.QueueMappings), schedules: len(tpl.Schedules),
		hasTraces: tpl.Parameters["Tracing"] == "Active", memory: map[string]float64{},
	}
	for _, f := range tpl.Functions {
		s.memory[f.Name] = float64(f.MemoryMB) / 1024
	}
	for _, q := range tpl.Queues {
		if strings.HasSuffix(q.ID, "DeadLetters") {
			s.deadLetterQueues++
		}
	}
	for id, r := range src.Resources {
		if !tpl.Has[id] {
			continue
		}
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			metrics := 0 // each of those in an expression is billed
			for _, query := range r.Properties.Metrics {
				if _, ok := query["MetricStat"]; ok {
					metrics++
				}
			}
			s.alarmMetrics += max(metrics, 1)
		case "AWS::CloudWatch::CompositeAlarm":
			s.composites++
		case "AWS::KMS::Key":
			s.keys++
		case "AWS::CloudWatch::Dashboard":
			s.dashboards++
		case "AWS::Backup::BackupPlan":
			if id == "WeeklyBackup" {
				s.copyDays = r.Properties.BackupPlan.Rules[0].Lifecycle.DeleteAfterDays
			}
		}
	}
	return s, nil
}
