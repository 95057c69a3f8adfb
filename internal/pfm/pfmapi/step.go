package pfmapi

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"aviso/internal/api"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

// registerStep adds the page of what users do on our side on the way to the bank.
func (p pages) registerStep(r *api.Router) {
	r.Raw(api.Operation{
		ID: "showConnectionStep", Method: http.MethodGet, Path: "/connect/step", Internal: true,
	}, ignoreHead(func(w http.ResponseWriter, req *http.Request) {
		id := req.URL.Query().Get("connectionId")
		visit, err := p.connections.Step(req.Context(), id, visitorOf(req, id))
		p.respond(w, req, visit, err)
	}))

	r.Raw(api.Operation{
		ID: "answerConnectionStep", Method: http.MethodPost, Path: "/connect/step", Internal: true, Form: true,
	}, func(w http.ResponseWriter, req *http.Request) {
		id := req.URL.Query().Get("connectionId")
		answer, ok := readAnswer(req)
		var visit connection.Visit
		var err error
		if consent := req.PostForm.Get("consent"); consent != "" {
			visit, err = p.connections.Consent(req.Context(), id, connection.ConsentAnswer{
				Agreed: consent == "yes", Seen: req.PostForm.Get("seen"),
				Words: func(visit connection.Visit) connection.ConsentText {
					words, partner, _ := p.words(req, visit)
					form, _ := p.consent(req.Context(), words, partner, visit) // the page that follows tells an error
					return form.text()
				},
			}, visitorOf(req, id))
		} else if ok {
			visit, err = p.connections.Answer(req.Context(), id, answer, visitorOf(req, id))
		} else {
			visit, err = p.connections.Step(req.Context(), id, visitorOf(req, id))
			visit.Step.Refused = true
		}
		p.respond(w, req, visit, err)
	})
}

const (
	maxPSUID = 100
	maxIBANs = 20
)

// readAnswer reads the form, and reports whether it can be an answer.
func readAnswer(req *http.Request) (pfm.UserAnswer, bool) {
	if req.ParseForm() != nil {
		return pfm.UserAnswer{}, false
	}
	a := pfm.UserAnswer{PSUID: strings.TrimSpace(req.PostForm.Get("psuId"))}
	for text := range strings.SplitSeq(req.PostForm.Get("ibans"), ",") {
		if iban := strings.ToUpper(strings.Join(strings.Fields(text), "")); iban != "" {
			a.IBANs = append(a.IBANs, iban)
		}
	}
	isOdd := func(r rune) bool { return unicode.IsControl(r) || r > unicode.MaxLatin1 }
	wrong := slices.ContainsFunc(a.IBANs, func(iban string) bool {
		return len(iban) < 15 || len(iban) > 34 || strings.Trim(iban, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != ""
	})
	return a, !wrong && len(a.IBANs) <= maxIBANs && len(a.PSUID) <= maxPSUID &&
		!strings.ContainsFunc(a.PSUID, isOdd) && (a.PSUID != "" || len(a.IBANs) > 0)
}

// stepOn puts the visit's step on the page.
func stepOn(page *Page, visit connection.Visit) message {
	step, words := visit.Step, page.Words
	if step.Kind == pfm.StepAsk {
		page.Ask = &Ask{PSUID: step.AsksPSUID, IBANs: step.AsksIBANs, Refused: step.Refused}
		return message{words.Identify, http.StatusOK, ""}
	}
	page.Wait = &Wait{Says: step.Message, Left: visit.Left, Total: connection.LinkLifetime}
	if step.OtherMustSign {
		return message{words.OtherMustSign, http.StatusOK, words.CheckNow}
	}
	return message{words.Waiting, http.StatusOK, words.CheckNow}
}
