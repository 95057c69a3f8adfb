package crashpoints

import ("testing"; "time")

func TestProf(t *testing.T) {
	for i, s := range letterScenarios() {
		from := s.prepared(t)
		start := time.Now()
		o := s.run(newWorld(t, from), once)
		t.Logf("%d %s %d calls, %v, %s", i, s.name, o.calls, o.err, time.Since(start))
		start = time.Now()
		for range 50 { s.run(newWorld(t, from), once) }
		t.Logf("%s each", time.Since(start)/50)
		start = time.Now()
		for range 50 { newWorld(t, from) }
		t.Logf("%s to make", time.Since(start)/50)
	}
}
