package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
)

const (
	// settleWithin is the least time that the service has to finish its work. Half of the
	// time with faults is more, if these were many.
	settleWithin = 6 * time.Minute
	// jump is how far the clock jumps ahead in each round. Some rounds are longer than the
	// service waits for anything: 15 minutes for SES to say whether it has sent a mail.
	jump = 5 * time.Minute
	// workFor is how long the stack works between two jumps.
	workFor = 12 * time.Second
	// mailWithin is how long the mail server may take to report.
	mailWithin = 2 * time.Minute
)

// settle lets the service finish what the faults have interrupted, until nothing waits or
// its time is over. It returns what the judge finds then.
func (r *run) settle(ctx context.Context) ([]history.Finding, error) {
	end := time.Now().Add(max(settleWithin, r.duration/2))
	var findings []history.Finding
	for round := 0; ; round++ {
		if err := r.quiet(ctx, round); err != nil {
			return nil, err
		}
		if err := r.glance(ctx); err != nil {
			return nil, err
		}
		findings = r.judge()
		over := time.Now().After(end)
		// While events and erasures are on their way, a closer look would only show the same.
		if over || !slices.ContainsFunc(findings, underWay) {
			if err := r.look(ctx, findings); err != nil {
				return nil, err
			}
			findings = r.judge()
		}
		waiting := 0
		for _, f := range findings {
			if f.Passing {
				waiting++
			}
		}
		r.save(findings)
		fmt.Printf("  %d findings, %d of which may pass\n", len(findings), waiting)
		if waiting == 0 || over {
			return findings, nil
		}
	}
}

// underWay reports whether an event or an erasure, which a glance shows, needs more time.
func underWay(f history.Finding) bool {
	return f.Passing && (f.Rule == history.EventDelivered || f.Rule == history.ErasureEnds)
}

// quiet waits for the mail server, lets the clock jump and the stack work.
func (r *run) quiet(ctx context.Context, round int) error {
	for end := time.Now().Add(mailWithin); r.mail.pending.Load() > 0 && time.Now().Before(end); {
		if !clock.Wait(ctx, 200*time.Millisecond) {
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
		if !clock.Wait(ctx, workFor/3) {
			return ctx.Err()
		}
	}
	return nil
}

func (r *run) judge() []history.Finding {
	return history.Judge(r.book.Read(), history.Settings{
		RetryDelays: []time.Duration{firstRetry, secondRetry}, ErasureGrace: 5 * time.Second, KeySearch: 5 * time.Second,
	})
}
