package main

import (
	"context"
	"errors"
	"slices"

	"aviso/bench/runtimeapi"
)

// startTimes starts everything several times, in turn, and records how long it takes to be ready and
// to handle the first event.
func (b *bench) startTimes(ctx context.Context) error {
	ready, first := map[string][]float64{}, map[string][]float64{}
	for range b.rounds.starts {
		for _, s := range b.subjects {
			err := s.running(ctx, func(f *runtimeapi.Function) error {
				ready[s.name] = append(ready[s.name], f.Init.Seconds()*1000)
				if routes := b.on(s.name); len(routes) > 0 {
					answer, err := b.invoke(ctx, f, routes[0])
					first[s.name] = append(first[s.name], answer.Took.Seconds()*1000)
					return err
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	for _, s := range b.subjects {
		b.add(s.name, initTime, quantile(ready[s.name], 50))
		b.relate(s.name, initTime, initToFloor)
		if len(first[s.name]) > 0 {
			b.add(s.name, firstTime, quantile(first[s.name], 50))
		}
	}
	return nil
}

// invokeTimes starts everything once and calls all routes in turn.
func (b *bench) invokeTimes(ctx context.Context) (err error) {
	const unmeasured = 20
	running, took := map[string]*runtimeapi.Function{}, map[string][]float64{}
	defer func() {
		for _, f := range running {
			err = errors.Join(err, f.Stop())
		}
	}()
	for _, s := range b.subjects {
		if running[s.name], err = s.start(ctx); err != nil {
			delete(running, s.name)
			return err
		}
	}
	for i := range unmeasured + b.rounds.invokes {
		for _, s := range b.subjects {
			for _, r := range b.on(s.name) {
				answer, err := b.invoke(ctx, running[s.name], r)
				if err != nil {
					return err
				}
				if i >= unmeasured {
					took[r.Key()] = append(took[r.Key()], answer.Took.Seconds()*1000)
				}
			}
		}
	}
	for key, list := range took {
		b.add(key, p50, quantile(list, 50))
		b.add(key, p99, quantile(list, 99))
	}
	for key := range took {
		b.relate(key, p50, p50ToFloor)
	}
	for name, f := range running {
		peak, err := f.PeakRSS()
		if err != nil {
			return err
		}
		b.add(name, memory, float64(peak)/1e6)
	}
	return nil
}

// steadyLoad calls one read after the other without pauses, and records p99 / p50 of some rounds.
func (b *bench) steadyLoad(ctx context.Context) error {
	const times = 300
	for _, r := range b.routes {
		if !r.Steady {
			continue
		}
		var ratios []float64
		err := b.subject(r.Function).running(ctx, func(f *runtimeapi.Function) error {
			for range b.rounds.steady {
				took := make([]float64, times)
				for i := range took {
					answer, err := b.invoke(ctx, f, r)
					if err != nil {
						return err
					}
					took[i] = answer.Took.Seconds()
				}
				ratios = append(ratios, quantile(took, 99)/quantile(took, 50))
			}
			return nil
		})
		if err != nil {
			return err
		}
		b.add(r.Key(), spread, quantile(ratios, 50))
		b.add(r.Key(), lowestSpread, slices.Min(ratios))
	}
	return nil
}

func quantile(list []float64, percent int) float64 {
	slices.Sort(list)
	return list[len(list)*percent/100]
}
