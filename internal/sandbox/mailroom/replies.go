package mailroom

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// ReplyPath is the path of the page on which a developer plays the organizations.
const ReplyPath = "/sandbox/replies"

// maxShown is how many letters the page lists.
const maxShown = 25

type replies struct {
	layout.Site
	*Processor
	desk  *Desk
	token string
}

func handleReplies(p *Processor, mux *http.ServeMux, desk *Desk, token string) {
	s := &replies{layout.Site{
		Policy: "; form-action 'self'", Log: p.Log, ErrorTitle: "The answers are not available",
		Section: ReplyPath, Footer: "These organizations are fictional. Their replies go only to Aviso.",
	}, p, desk, token}
	s.Message = func(w http.ResponseWriter, _ *http.Request, status int, _, text string) error {
		return s.form(w, status, "", "", text, nil)
	}
	s.Handle(mux, ReplyPath, layout.Methods{"GET": s.show, "POST": s.Form(s.post)})
}

// show lists what waits, to programs as JSON.
func (s *replies) show(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	done, _ := layout.FindCommand(layout.Commands("replies"), q.Get("done"))
	partner, listed := s.desk.Partner(r)
	var waiting []Letter
	if listed {
		var err error
		if waiting, err = s.awaiting(r.Context(), partner); err != nil {
			return err
		}
	}
	switch {
	case !layout.WantsJSON(r):
		return s.form(w, http.StatusOK, known(q.Get("cancellation")), done.Done, "", waitingList(waiting, listed))
	case !listed:
		return s.desk.SignIn(w, r)
	}
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"waiting": wire(waiting)})
}

// awaiting returns the letters of a partner, or (empty) of all, that their organizations
// can answer: of each cancellation the newest, newest first. It reads all letters; a
// sandbox receives few.
func (s *replies) awaiting(ctx context.Context, partner string) (awaiting []Letter, err error) {
	letters, err := s.Store.Letters(ctx, "", all, From(partner))
	seen := map[string]bool{}
	for _, l := range letters {
		if !seen[l.CancellationID] && l.AwaitsReply() {
			awaiting = append(awaiting, l)
		}
		seen[l.CancellationID] = true
	}
	return awaiting, err
}

// known returns the ID if it is a UUID: nothing else from the address is shown on the
// page.
func known(id string) string {
	if !isID(id) {
		return ""
	}
	return id
}

// waitingList shows what waits. A visitor of a shared environment signs in first.
func waitingList(waiting []Letter, listed bool) g.Node {
	switch {
	case !listed:
		return h.P(h.Class("empty"), h.A(h.Href(SignInPath+"?next="+ReplyPath), g.Text("Sign in")),
			g.Text(" to see which of your cancellations wait for an answer."))
	case len(waiting) == 0:
		return layout.Empty("Nothing waits for an answer.")
	}
	shown := waiting[:min(len(waiting), maxShown)]
	return g.Group{
		layout.Cards("waiting", "Waiting for an answer", g.Map(shown, card)),
		g.If(len(waiting) > maxShown, h.P(g.Textf("And %d older ones.", len(waiting)-maxShown))),
	}
}

func (s *replies) form(w http.ResponseWriter, status int, cancellation, done, problem string, waiting g.Node) error {
	title, first := "Answer as an organization", cancellation == "" && problem == ""
	return s.Show(w, status, title, problem,
		h.H1(g.Text(title)),
		layout.Lead(g.Text("After a letter is sent, the organization confirms or rejects the cancellation. "+
			"Choose its answer; Aviso receives it immediately.")),
		layout.Outcome(done, problem),
		g.If(first, waiting),
		layout.CommandForm("answers", ReplyPath, "The answer", h.Div(h.Class("field"),
			h.Label(h.For("cancellation"), g.Text("Cancellation")),
			h.P(h.Class("hint"), h.ID("about-cancellation"),
				g.Text("Its cancellationId. Choose one from the list, or enter it.")),
			h.Input(h.ID("cancellation"), h.Class("id"), h.Name("cancellation"), h.Value(cancellation), h.Required(),
				h.MaxLength("36"), h.Pattern("[0-9a-fA-F\\-]{36}"), h.Aria("describedby", "about-cancellation"),
				h.AutoComplete("off"), g.Attr("spellcheck", "false")),
		), "answer", layout.Commands("replies")),
		g.If(!first, h.P(h.A(h.Href(ReplyPath), g.Text("See all that wait")))),
	)
}

// post gives the answer.
func (s *replies) post(w http.ResponseWriter, r *http.Request, form url.Values) error {
	id, answer := known(form.Get("cancellation")), form.Get("answer")
	refuse := func(status int, problem string) error { return s.form(w, status, id, "", problem, nil) }
	if id == "" {
		return refuse(http.StatusUnprocessableEntity,
			"The cancellation ID must be the UUID that POST /cancellations returned.")
	}
	if _, ok := layout.FindCommand(layout.Commands("replies"), answer); !ok {
		return refuse(http.StatusUnprocessableEntity, "Choose one of the replies.")
	}
	status, err := s.send(r, id, answer)
	switch {
	case err != nil:
		s.Processor.Log.WarnContext(r.Context(), "sandbox reply not delivered", "error", err)
		return refuse(http.StatusBadGateway, "Aviso does not respond. Please try again.")
	case status == http.StatusNotFound:
		s.note(r.Context(), id, Erased) // it no longer waits
		return refuse(status, "Aviso has no cancellation with this ID.")
	case status == http.StatusConflict:
		return refuse(status, "The letter has not been sent yet, or the organization has already replied.")
	case status != http.StatusNoContent:
		return refuse(http.StatusBadGateway, fmt.Sprintf("Aviso returned status %d.", status))
	}
	switch answer {
	case "Received", "NeedsInformation", "Offer", autoReply: // there is more to say
	case later, pdfOnly, htmlOnly:
		s.note(r.Context(), id, Confirmed)
	default:
		s.note(r.Context(), id, answer)
	}
	return layout.Redirect(w, ReplyPath+"?done="+answer)
}

// note notes the outcome of a cancellation on all of its letters. Aviso already knows.
func (s *replies) note(ctx context.Context, cancellation, reply string) {
	letters, err := s.of(ctx, cancellation)
	for i := 0; i < len(letters) && err == nil; i++ {
		_, err = s.update(ctx, letters[i], func(l *Letter) (bool, error) { l.Reply = reply; return true, nil })
	}
	if err != nil {
		s.Processor.Log.WarnContext(ctx, "sandbox reply not noted", "error", err)
	}
}

// send sends the mail to the service.
func (s *replies) send(r *http.Request, cancellation, answer string) (status int, err error) {
	letters, err := s.of(r.Context(), cancellation)
	if err != nil {
		return 0, err
	}
	now := s.Now()
	if len(letters) > 0 {
		now = s.TimeOf(r.Context(), letters[len(letters)-1])
	}
	body := map[string]any{"cancellationId": cancellation, "mails": Mails(answer, now)}
	header := map[string]string{"Authorization": "Bearer " + s.token, "Content-Type": "application/json"}
	return s.Processor.post(r.Context(), Call{s.Base(r) + "/carriers/v1/replies", header, Encode(body)})
}
