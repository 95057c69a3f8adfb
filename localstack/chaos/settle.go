package main

import (
	"context"
	"fmt"
	"time"

	"aviso/localstack/chaos/history"
)

const (
	// rounds is how often the clock jumps ahead at the end, by jump each time. Together
	// that is longer than the service waits for anything that has to settle: 15 minutes
	// for SES to say whether it has sent a mail.
	rounds = 10
	jump   = 5 * time.Minute
	// workFor is how long the stack works between two jumps.
	workFor = 12 * time.Second
	// mailWithin is how long the mail server may take to report.
	mailWithin = 2 * time.Minute
)

// settle lets the service finish what the faults have interrupted, and returns what the
// judge finds then.
func (r *run) settle(ctx context.Context) ([]history.Finding, error) {
	var findings []history.Finding
	for round := range rounds {
		if err := r.quiet(ctx, round); err != nil {
			return nil, err
		}
		if err := r.observe(ctx, findings); err != nil {
			return nil, err
		}
		if err := r.finish(ctx); err != nil {
			return nil, err
		}
		findings = history.Judge(r.book.Read(), r.settings())
		waiting := 0
		for _, f := range findings {
			if f.Passing {
				waiting++
			}
		}
		r.save(findings)
		fmt.Printf("  %d findings, %d of which may pass\n", len(findings), waiting)
		if waiting == 0 {
			break
		}
	}
	return findings, nil
}

// quiet waits for the mail server, lets the clock jump and the stack work.
func (r *run) quiet(ctx context.Context, round int) error {
	for end := time.Now().Add(mailWithin); r.mail.pending.Load() > 0 && time.Now().Before(end); {
		if !sleep(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
	}
	if round > 0 {
		r.service.stop()
		r.service.ahead.Add(int64(jump / time.Second))
		if err := r.service.start(ctx); err != nil {
			return err
		}
	}
	for range 3 {
		_ = r.invoke("housekeeping", []byte("{}")) // the clock calls it, too
		if !sleep(ctx, workFor/3) {
			return ctx.Err()
		}
	}
	return nil
}

func (r *run) settings() history.Settings {
	return history.Settings{
		RetryDelays: []time.Duration{firstRetry, secondRetry}, ErasureGrace: 5 * time.Second, KeySearch: 5 * time.Second,
	}
}
