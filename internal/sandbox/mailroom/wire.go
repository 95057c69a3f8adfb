package mailroom

import "time"

// wireLetter is a letter as programs see it.
type wireLetter struct {
	ID             string       `json:"id"`
	Href           string       `json:"href"`
	File           string       `json:"file"`
	Carrier        Carrier      `json:"carrier"`
	How            How          `json:"how"`
	To             string       `json:"to"`
	CancellationID string       `json:"cancellationId"`
	State          State        `json:"state"`
	CreatedAt      time.Time    `json:"createdAt"`
	UpdatedAt      time.Time    `json:"updatedAt"`
	Pages          int          `json:"pages"`
	Lost           bool         `json:"lost"`
	HeldUntil      *time.Time   `json:"heldUntil,omitempty"`
	History        []wireEntry  `json:"history"`
	Notices        []wireNotice `json:"notices"`
}

type wireEntry struct {
	State State     `json:"state"`
	At    time.Time `json:"at"`
}

type wireNotice struct {
	Event        string    `json:"event"`
	At           time.Time `json:"at"`
	Attempts     int       `json:"attempts"`
	Acknowledged bool      `json:"acknowledged"`
	LastStatus   int       `json:"lastStatus"`
}

func wireOf(l Letter) wireLetter {
	w := wireLetter{
		ID: l.ID, Href: l.path(), Carrier: l.Carrier, How: l.How, To: l.To, CancellationID: l.CancellationID, State: l.State,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt, Pages: l.Pages, Lost: l.Lost(), History: []wireEntry{}, Notices: []wireNotice{},
	}
	if l.HasFile {
		w.File = l.path() + "/file.pdf"
	}
	if !l.HeldUntil.IsZero() {
		w.HeldUntil = &l.HeldUntil
	}
	for _, e := range l.History {
		w.History = append(w.History, wireEntry(e))
	}
	for _, n := range l.Notices {
		w.Notices = append(w.Notices, wireNotice{n.Event, n.At, n.Attempts, n.Acknowledged, n.LastStatus})
	}
	return w
}

type wireSetting struct {
	Carrier   Carrier    `json:"carrier"`
	Behaviour Behaviour  `json:"behaviour"`
	Until     *time.Time `json:"until,omitempty"`
}

type wireList struct {
	Letters  []wireLetter  `json:"letters"`
	Settings []wireSetting `json:"settings"`
	// Next is the path of the page with older ones; empty at the end.
	Next string `json:"next"`
}

func (v overview) wire() wireList {
	list := wireList{Letters: []wireLetter{}, Next: v.next}
	for _, l := range v.letters {
		list.Letters = append(list.Letters, wireOf(l))
	}
	for _, s := range v.settings {
		w := wireSetting{Carrier: s.Carrier, Behaviour: s.Now(v.now)}
		if w.Behaviour != Normal {
			w.Until = &s.Until
		}
		list.Settings = append(list.Settings, w)
	}
	return list
}
