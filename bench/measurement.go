package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"aviso/bench/route"
	"aviso/bench/runtimeapi"
	"aviso/bench/world"
)

const (
	// rows are the transactions of a user in requests, banks the providers of one
	// country, subscriptions the partner's.
	rows, banks, subscriptions = 1_000, 200, 5
)

// measurement is a world with the subjects and routes measured in it.
type measurement struct {
	world    *world.World
	subjects map[string]subject
	routes   []route.Route
	caller   route.Caller
	number   atomic.Int64
	// writing are the routes of floorWrites, once the routes that write have been counted.
	writing []route.Route
}

// begin builds the functions for the given machine and fills the world.
func begin(ctx context.Context, w *world.World, on machine) (*measurement, error) {
	subjects, err := prepare(ctx, w, on)
	if err != nil {
		return nil, err
	}
	m := &measurement{world: w, subjects: subjects}
	user, err := w.User(ctx, "usual", rows)
	if err != nil {
		return nil, err
	}
	writer, err := w.User(ctx, "writer", rows)
	if err != nil {
		return nil, err
	}
	if err := w.Providers(ctx, 0, banks); err != nil {
		return nil, err
	}
	answer, err := m.once(ctx, route.TokenRoute())
	if err != nil {
		return nil, err
	}
	token, err := route.ParseToken(answer)
	if err != nil {
		return nil, err
	}
	m.caller = route.Caller{Token: token, User: user}
	for range subscriptions {
		if _, err := m.once(ctx, m.caller.Subscribe()); err != nil {
			return nil, err
		}
	}
	m.routes = route.All(m.caller, route.Caller{Token: token, User: writer})
	return m, nil
}

// once starts the function, calls it and stops it.
func (m *measurement) once(ctx context.Context, r route.Route) ([]byte, error) {
	f, err := m.subjects[r.Function].start(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := m.invoke(ctx, f, r)
	if stopped := f.Stop(); err == nil {
		err = stopped
	}
	return answer.Body, err
}

// invoke calls a function with the route's next event, and checks the response.
func (m *measurement) invoke(ctx context.Context, f *runtimeapi.Function, r route.Route) (runtimeapi.Answer, error) {
	if r.Turns != nil {
		r.Turns.Lock()
		defer r.Turns.Unlock()
	}
	answer, err := f.Invoke(ctx, r.Payload(int(m.number.Add(1))))
	if err == nil && r.Check != nil {
		err = r.Check(answer.Body)
	}
	if err != nil {
		return runtimeapi.Answer{}, fmt.Errorf("%s, %s: %w", r.Function, r.Name, err)
	}
	return answer, nil
}

// on returns the routes of a function or a floor.
func (m *measurement) on(function string) []route.Route {
	switch function {
	case floorHello:
		return []route.Route{m.caller.Floor(floorHello, floorHello, 1, 0)}
	case floorClients:
		return []route.Route{
			m.caller.Floor(floorClients, floorClients, 1, 0), m.caller.Floor(floorClients, floorTwo, 2, 0),
		}
	case floorWrites:
		return m.writing
	}
	var list []route.Route
	for _, r := range m.routes {
		if r.Function == function {
			list = append(list, r)
		}
	}
	return list
}

// names returns all subjects in the order of the tables, the floors first.
func (m *measurement) names() []string {
	return append([]string{floorHello, floorClients}, m.world.Functions()...)
}
