package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/bench/page"
	"aviso/bench/plot"
	"aviso/bench/route"
	"aviso/bench/runtimeapi"
	"aviso/bench/world"
	"aviso/internal/cancellation"
)

// grown is a request with one size of the data.
type grown struct {
	series string // the request, and the data that grows
	size   int
	route  route.Route
	// before, if not nil, creates data that cannot exist from the beginning.
	before func(ctx context.Context) error
}

// point is the cost of a grown request.
type point struct {
	size, calls int
	units       float64 // RRU and WRU
	took        time.Duration
}

// grow measures the same requests with several sizes of the data, writes the table and the
// plot, and fails if calls or units grow.
func grow(ctx context.Context, w *world.World) error {
	m, err := begin(ctx, w, here())
	if err != nil {
		return err
	}
	began := time.Now()
	list, err := m.everySize(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("Created the data in %s.\n\n", time.Since(began).Round(time.Second))
	points, order := map[string][]point{}, []string{}
	for i := range list {
		p, err := m.costs(ctx, list[i])
		if err != nil {
			return err
		}
		if points[list[i].series] == nil {
			order = append(order, list[i].series)
		}
		points[list[i].series] = append(points[list[i].series], p)
	}
	text := growthTable(order, points)
	fmt.Println(text)
	docs := filepath.Join(w.Checkout(), "docs")
	if err := page.Replace(filepath.Join(docs, "performance.md"), "growth", measuredOn()+"\n\n"+text); err != nil {
		return err
	}
	if err := draw(filepath.Join(docs, "images", "growth.svg"), order, points); err != nil {
		return err
	}
	return flat(order, points)
}

// everySize creates data of all sizes: users, banks and organizations concurrently.
func (m *measurement) everySize(ctx context.Context) ([]grown, error) {
	var list []grown
	group, creating := errgroup.WithContext(ctx)
	for _, n := range []int{100, 10_000, 100_000} {
		name := "grown-" + strconv.Itoa(n)
		group.Go(func() error {
			_, err := m.world.User(creating, name, n)
			return err
		})
		caller := m.caller
		caller.User.ID = world.UserID(name)
		for _, r := range []route.Route{
			caller.Read("pfm", "GET transactions, 100", "/openbanking/v1/transactions?limit=100"),
			caller.Read("pfm", "GET transactions of an account, 20",
				"/openbanking/v1/transactions?limit=20&accountId="+world.ID("account/"+name, 0)),
			caller.Read("pfm", "GET insights/categories", "/openbanking/v1/insights/categories"),
			caller.Read("pfm", "GET accounts", "/openbanking/v1/accounts"),
		} {
			list = append(list, grown{series: r.Name + ", by transactions of the user", size: n, route: r})
		}
	}
	for i, n := range []int{1_000, 10_000, 100_000} {
		country, category := "X"+string(rune('A'+i)), cancellation.CategoryID(fmt.Sprintf("bench-%d", n))
		group.Go(func() error {
			return m.world.CopyListed(creating, m.world.Table("PfmTable"), "PROVIDERS#DE", "PROVIDERS#"+country, n)
		})
		group.Go(func() error {
			return m.world.CopyListed(creating, m.world.Table("CancellationTable"),
				"ORGANIZATIONS#*#*", "ORGANIZATIONS#*#"+category, n)
		})
		list = append(list,
			grown{series: "GET providers, 50, by providers of the country", size: n,
				route: m.caller.Read("pfm", "GET providers, 50",
					"/openbanking/v1/providers?limit=50&countryCode="+country)},
			grown{series: "GET organizations, 50, by organizations of the category", size: n,
				route: m.caller.Read("cancellation", "GET organizations, 50",
					"/cancellations/v1/organizations?limit=50&categoryId="+category)})
	}
	created := 0
	for _, n := range []int{10, 1_000, 10_000} {
		subscribe := func(ctx context.Context) error {
			from := created
			created = n
			return m.world.Subscriptions(ctx, from, n)
		}
		list = append(list,
			grown{series: "GET subscriptions, 5, by subscriptions of others", size: n, before: subscribe,
				route: m.caller.Read("notification", "GET subscriptions", "/webhooks/v1/subscriptions")},
			grown{series: "Event for 5 subscriptions, by subscriptions of others", size: n, route: m.caller.Event()})
	}
	return list, group.Wait()
}

// costs measures the cost of a request.
func (m *measurement) costs(ctx context.Context, g grown) (p point, err error) {
	if g.before != nil {
		if err := g.before(ctx); err != nil {
			return point{}, err
		}
	}
	proxy, err := m.meter(ctx)
	if err != nil {
		return point{}, err
	}
	defer func() { err = errors.Join(err, proxy.stop()) }()
	f := newFigures()
	if err := m.countRoute(ctx, proxy, g.route.Function, g.route, f); err != nil {
		return point{}, err
	}
	asked, _ := f.get(g.route.Key(), calls)
	reads, _ := f.get(g.route.Key(), readUnits)
	writes, _ := f.get(g.route.Key(), writeUnits)
	timed, err := m.subjects[g.route.Function].start(ctx)
	if err != nil {
		return point{}, err
	}
	took, err := m.usual(ctx, timed, g.route)
	return point{size: g.size, calls: int(asked), units: reads + writes, took: took}, errors.Join(err, timed.Stop())
}

// usual returns the median time of an invocation.
func (m *measurement) usual(ctx context.Context, f *runtimeapi.Function, r route.Route) (time.Duration, error) {
	const unmeasured, measured = 10, 100
	var list []time.Duration
	for i := range unmeasured + measured {
		answer, err := m.invoke(ctx, f, r)
		if err != nil {
			return 0, err
		}
		if i >= unmeasured {
			list = append(list, answer.Took)
		}
	}
	return median(list), nil
}

// flat fails if calls or units grow with the data: a request must read only its page.
func flat(order []string, points map[string][]point) error {
	var faults []error
	for _, series := range order {
		least := slices.MinFunc(points[series], func(a, b point) int { return a.calls - b.calls })
		units := slices.MinFunc(points[series], func(a, b point) int { return int(2*a.units) - int(2*b.units) }).units
		for _, p := range points[series] {
			// Reads cost multiples of half a unit, and rows differ by a few bytes.
			if p.calls > least.calls || p.units > units*1.1+1 {
				faults = append(faults, fmt.Errorf("%s: with %d rows %d calls and %.1f units; the minimum is %d and %.1f",
					series, p.size, p.calls, p.units, least.calls, units))
			}
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("not flat:\n%w", errors.Join(faults...))
	}
	fmt.Println("Calls and units are flat.")
	return nil
}

func growthTable(order []string, points map[string][]point) string {
	cells := [][]string{{"Request, by what grows", "size", calls, "RRU + WRU", warmTime}}
	for _, series := range order {
		for _, p := range points[series] {
			cells = append(cells, []string{
				series, strconv.Itoa(p.size), strconv.Itoa(p.calls),
				fmt.Sprintf("%.1f", p.units), fmt.Sprintf("%.2f", milliseconds(p.took)),
			})
		}
	}
	return page.Table(cells)
}

// draw writes the plot of units and times.
func draw(file string, order []string, points map[string][]point) error {
	units := plot.Panel{Title: "Capacity units of a request", Y: "RRU + WRU"}
	times := plot.Panel{Title: "Time of a request (including the emulator)", Y: "p50, ms"}
	for _, series := range order {
		u, t := plot.Series{Name: series}, plot.Series{Name: series}
		for _, p := range points[series] {
			u.Points = append(u.Points, plot.Point{X: float64(p.size), Y: p.units})
			t.Points = append(t.Points, plot.Point{X: float64(p.size), Y: milliseconds(p.took)})
		}
		units.Series, times.Series = append(units.Series, u), append(times.Series, t)
	}
	figure := plot.Figure{X: "Size of the data (rows, logarithmic)", Panels: []plot.Panel{units, times}}
	return plot.Write(file, figure)
}
