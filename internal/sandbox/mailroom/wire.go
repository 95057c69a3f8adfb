package mailroom

// wireLetter is a letter as JSON.
type wireLetter struct {
	Letter
	Href string `json:"href"`
	File string `json:"file"`
	Lost bool   `json:"lost"`
}

// Wire returns letters as JSON.
func Wire(letters []Letter) any {
	list := []wireLetter{}
	for _, l := range letters {
		list = append(list, wireOf(l))
	}
	return list
}

func wireOf(l Letter) wireLetter {
	w := wireLetter{Letter: l, Href: l.path(), Lost: l.Lost()}
	w.Notices = append([]Notice{}, l.Notices...)
	if l.HasFile {
		w.File = l.file()
	}
	return w
}

type wireList struct {
	Letters  []wireLetter `json:"letters"`
	Settings []Setting    `json:"settings"`
	// Next is the path of the next page; empty on the last page.
	Next string `json:"next"`
}

func (v overview) wire() wireList {
	list := wireList{Letters: []wireLetter{}, Next: v.next}
	for _, l := range v.letters {
		list.Letters = append(list.Letters, wireOf(l))
	}
	for _, s := range v.settings {
		if s.Now(v.now) == Normal {
			s = Setting{Carrier: s.Carrier, Behaviour: Normal}
		}
		list.Settings = append(list.Settings, s)
	}
	return list
}
