package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aviso/localstack/chaos/history"
)

// shown is how many findings of each rule are printed. The others are in a file.
const shown = 5

// report prints what the run did and what the judge has found.
func (r *run) report(out io.Writer, found []history.Finding) {
	h := r.book.Read()
	faults := r.faults.all()
	calls, broken := faults["calls"], 0
	delete(faults, "calls")
	for _, n := range faults {
		broken += n
	}
	fmt.Fprintf(out, "\n%s in all, %s of it with faults; seed %d\n", time.Since(r.begun).Round(time.Second), r.duration, r.seed)
	fmt.Fprintf(out, "%d calls passed the proxies, %d things broken:\n", calls, broken)
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		fmt.Fprintf(out, "  %6d  %s\n", faults[name], name)
	}
	done := r.counts.all()
	fmt.Fprintf(out, "%d client calls (%d of them repeated), %d users (%d erased), %d visits to a bank\n",
		done["client calls"], done["client calls repeated"], len(h.Users), len(h.Erasures), done["visits to a bank"])
	fmt.Fprintf(out, "%d intents, %d letters, %d withdrawn; %d events, %d callbacks, %d attempts at %d subscriptions\n",
		len(h.Intents), len(h.Letters), len(h.Withdrawals), len(h.Events), len(h.Callbacks), len(h.Attempts), len(h.Subscriptions))
	by := map[history.Rule][]history.Finding{}
	for _, f := range found {
		by[f.Rule] = append(by[f.Rule], f)
	}
	lost := len(by[history.NoLetterLost]) + len(by[history.EventDelivered])
	doubled := len(by[history.OneCancellation]) + len(by[history.OneLetter]) + len(by[history.OneObject]) +
		len(by[history.AttemptsCounted])
	fmt.Fprintf(out, "lost %d, doubled %d, findings %d\n", lost, doubled, len(found))
	if len(found) == 0 {
		return
	}
	r.save(found)
	for _, rule := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(out, "\n%s: %d\n", rule, len(by[rule]))
		for _, f := range by[rule][:min(shown, len(by[rule]))] {
			fmt.Fprintf(out, "  - %s\n", f.Text)
		}
	}
	fmt.Fprintf(out, "\nAll findings, the history and the stack's log are in %s.\nAgain: make chaos SEED=%d MINUTES=%g\n",
		r.folder, r.seed, r.duration.Minutes())
}

// save writes all findings to a file.
func (r *run) save(found []history.Finding) {
	var all strings.Builder
	for _, f := range found {
		fmt.Fprintf(&all, "%s: %s\n", f.Rule, f.Text)
	}
	// The screen shows the first of them, too.
	_ = os.WriteFile(filepath.Join(r.folder, "findings.txt"), []byte(all.String()), 0o600)
}
