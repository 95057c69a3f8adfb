package history

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// letters judges every intent by the letters that left for it.
func (j *judge) letters() {
	listed := map[string][]Cancellation{} // by user and product
	for _, c := range j.Cancellations {
		listed[c.User+c.Product] = append(listed[c.User+c.Product], c)
	}
	answered := map[string][]string{} // cancellations by intent
	for _, c := range j.Calls {
		if c.Intent != "" && c.outcome() == made {
			answered[c.Intent] = append(answered[c.Intent], c.Object)
		}
	}
	known := map[string]bool{}
	for _, intent := range j.Intents {
		wish := wish{Intent: intent, accepted: len(answered[intent.ID]) > 0, ids: answered[intent.ID]}
		for _, c := range listed[intent.User+intent.Product] {
			wish.ids = append(wish.ids, c.ID)
			wish.record = c
		}
		slices.Sort(wish.ids)
		wish.ids = slices.Compact(wish.ids)
		for _, id := range wish.ids {
			known[id] = true
			wish.letters = append(wish.letters, j.letterOf[id]...)
		}
		slices.SortFunc(wish.letters, func(a, b Letter) int { return cmp.Compare(a.At, b.At) })
		j.intent(wish)
	}
	for id, letters := range j.letterOf {
		// The ID of an erased user's cancellation may have been lost with its answer.
		if !known[id] && len(j.erased) == 0 {
			j.find(OneCancellation, "%s left for cancellation %s, which nobody knows", channels(letters), id)
		}
	}
}

// wish is an intent with all that followed from it.
type wish struct {
	Intent
	// accepted is true if the service has answered that the cancellation exists.
	accepted bool
	ids      []string
	record   Cancellation
	letters  []Letter
}

func (j *judge) intent(w wish) {
	if len(w.ids) > 1 {
		j.find(OneCancellation, "intent %s of user %s has %d cancellations (%s) and %d letters (%s)",
			w.ID, w.User, len(w.ids), strings.Join(w.ids, ", "), len(w.letters), channels(w.letters))
	}
	for _, id := range w.ids {
		j.cancellation(w, id)
	}
	_, erased := j.erased[w.User]
	if !w.accepted || erased || len(w.ids) == 0 {
		return
	}
	for _, id := range w.ids {
		if _, ok := j.withdrawn[id]; ok {
			return
		}
	}
	status := cmp.Or(w.record.Status, "unknown")
	switch {
	case len(w.letters) == 0 && status != "DeliveryFailed" && status != "Withdrawn":
		j.await(NoLetterLost, w.User, "intent %s of user %s, cancellation %s: no letter has left (status %s)",
			w.ID, w.User, w.ids[0], status)
	case len(w.letters) > 0 && (status == "Created" || status == "Queued" || status == "unknown"):
		j.await(NoLetterLost, w.User, "intent %s of user %s, cancellation %s: its letter has left, but its status stays %s",
			w.ID, w.User, w.ids[0], status)
	}
}

// cancellation judges the letters of one cancellation.
func (j *judge) cancellation(w wish, id string) {
	letters := j.letterOf[id]
	by := map[string]int{}
	for _, l := range letters {
		by[l.Channel]++
	}
	for channel, n := range by {
		if n > 1 {
			j.find(OneLetter, "intent %s, cancellation %s: %d letters by %s (%s)", w.ID, id, n, channel, channels(letters))
		}
	}
	if !w.Fallback && len(by) > 1 {
		j.find(OneLetter, "intent %s, cancellation %s: letters by several channels (%s)", w.ID, id, channels(letters))
	}
	withdrawal, withdrawn := j.withdrawn[id]
	erasure, erased := j.erased[w.User]
	for _, l := range letters {
		if withdrawn && (!w.Fallback || l.At > withdrawal.Ended) {
			j.find(WithdrawnStays, "intent %s, cancellation %s: a letter by %s left at %s; it was withdrawn by %s",
				w.ID, id, l.Channel, round(l.At), round(withdrawal.Ended))
		}
		if erased && erasure.Ended != Never && l.At > erasure.Ended+j.ErasureGrace {
			j.find(ErasedStays, "intent %s, cancellation %s: a letter by %s left %s after user %s was erased",
				w.ID, id, l.Channel, round(l.At-erasure.Ended), w.User)
		}
	}
}

func channels(letters []Letter) string {
	var list []string
	for _, l := range letters {
		list = append(list, l.Channel+" at "+round(l.At)+" as "+l.Carrier)
	}
	return strings.Join(list, "; ")
}

func round(d time.Duration) string { return d.Round(10 * time.Millisecond).String() }
