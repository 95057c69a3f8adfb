package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aviso/localstack/template"
)

// deployed is what template.yaml says with the parameters of a size.
type deployed struct {
	syncMost, syncBatch, syncWaitMost    float64
	deliverMost, retryMost, deliverBatch float64
	retryVisible                         float64 // seconds
	streamBatch, parallelization         float64
	memoryGB                             float64
	// parts is how many schedules housekeeping has, planVCPU how much of a processor each of
	// its executions has, and planLasts for how many seconds it begins work.
	parts, planVCPU float64
	planLasts       int
	warm            map[string]units
}

func readDeployed(checkout string, s size) (deployed, error) {
	tpl, err := template.Load(filepath.Join(checkout, "template.yaml"), func(name string) (string, bool) {
		if name == "Environment" {
			return "acceptance", true
		}
		value, ok := s.parameters[name]
		return value, ok
	})
	if err != nil {
		return deployed{}, err
	}
	d := deployed{warm: map[string]units{}}
	for _, m := range tpl.QueueMappings {
		most, batch := float64(m.MaximumConcurrency), float64(m.BatchSize)
		switch m.Queue {
		case "SyncQueue":
			d.syncMost, d.syncBatch = most, batch
		case "SyncWaitQueue":
			d.syncWaitMost = most
		case "DeliveryQueue":
			d.deliverMost, d.deliverBatch = most, batch
		case "RetryQueue":
			d.retryMost = most
		}
	}
	for _, m := range tpl.Streams {
		d.streamBatch, d.parallelization = float64(m.BatchSize), float64(m.Parallelization)
	}
	for _, schedule := range tpl.Schedules {
		if strings.Contains(schedule.Input, `"parts"`) {
			d.parts++
		}
	}
	for _, table := range tpl.Tables {
		d.warm[table.ID] = units{float64(table.Warm.WriteUnitsPerSecond), float64(table.Warm.ReadUnitsPerSecond)}
	}
	retries, _ := tpl.Queue("RetryQueue")
	d.retryVisible = retries.VisibilityTimeout.Seconds()
	d.readFunctions(tpl)
	if slices.Contains([]float64{
		d.syncMost, d.syncBatch, d.deliverMost, d.deliverBatch, d.retryMost, d.retryVisible, d.streamBatch,
		d.parallelization, d.memoryGB, d.parts, d.planVCPU, float64(d.planLasts),
	}, 0) {
		return d, fmt.Errorf("template.yaml lacks something that the model reads: %+v", d)
	}
	return d, nil
}

func (d *deployed) readFunctions(tpl *template.Template) {
	const processorMB, lastSeconds = 1769, 5 // housekeeping begins nothing in its last five seconds
	for _, f := range tpl.Functions {
		switch f.Name {
		case "bank-sync": // all that the day calls have as much
			d.memoryGB = float64(f.MemoryMB) / 1024
		case "housekeeping":
			d.planVCPU, d.planLasts = float64(f.MemoryMB)/processorMB, int(f.Timeout.Seconds())-lastSeconds
		}
	}
}
