package mailroom

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	// PagePath is the path of the pages.
	PagePath = "/sandbox/letters"
	// lettersPerPage is the number of letters on a page.
	lettersPerPage = 25
	// title is the title of the list, to which the other pages link.
	title = "Sent letters"
)

func (l Letter) path() string { return PagePath + "/" + l.ID }

func (l Letter) file() string { return l.path() + "/file.pdf" }

// replyPath is the page on which the organization answers.
func (l Letter) replyPath() string {
	return ReplyPath + "?cancellation=" + url.QueryEscape(l.CancellationID)
}

// wireLetter is a letter as JSON.
type wireLetter struct {
	Letter
	Href string `json:"href"`
	File string `json:"file"`
	Lost bool   `json:"lost"`
}

func wireOf(l Letter) wireLetter {
	w := wireLetter{Letter: l, Href: l.path(), Lost: l.Lost()}
	w.Notices = append([]Notice{}, l.Notices...)
	if l.HasFile {
		w.File = l.file()
	}
	return w
}

func wire(letters []Letter) []wireLetter {
	list := []wireLetter{}
	for _, l := range letters {
		list = append(list, wireOf(l))
	}
	return list
}

// pages serves the pages for letters.
type pages struct {
	layout.Site
	*Processor
	desk *Desk
}

// HandlePages registers everything under PagePath and ReplyPath, for those who have signed in, or
// without a desk for everybody. The token authenticates the replies to the service.
func HandlePages(p *Processor, mux *http.ServeMux, desk *Desk, token string) {
	s := &pages{layout.Site{
		// A page may show one of our documents, which the browser embeds as a page of its
		// own.
		Policy: "; object-src 'self'; frame-src 'self'; form-action 'self'",
		Log:    p.Log, ErrorTitle: "The letters are not available",
		Section: PagePath, Footer: "The post office and the fax gateway are fictional. " +
			"Nothing is ever printed or faxed, and no mail reaches the organization.",
		Back: h.P(h.A(h.Href(PagePath), g.Text("See all letters"))),
	}, p, desk}
	s.page(mux, PagePath, layout.Methods{"GET": s.list, "POST": s.Form(s.set)})
	s.page(mux, PagePath+"/{letter}", layout.Methods{"GET": s.withLetter(s.show), "POST": s.Form(s.order)})
	s.page(mux, PagePath+"/{letter}/file.pdf", layout.Methods{"GET": s.withLetter(s.pdf)})
	s.page(mux, PagePath+"/", layout.Methods{"GET": unknown})
	handleReplies(p, mux, desk, token)
}

// page registers a page for those who may see letters.
func (s *pages) page(mux *http.ServeMux, path string, m layout.Methods) {
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.desk.Partner(r); !ok {
			s.Write(w, r, s.desk.SignIn)
			return
		}
		s.Serve(w, r, m)
	})
}

// partner returns whose letters the visitor may see; empty for all.
func (s *pages) partner(r *http.Request) string {
	partner, _ := s.desk.Partner(r)
	return partner
}

// signedIn shows which partner a visitor has signed in as.
func signedIn(partner string) g.Node {
	return g.If(partner != "", h.Form(h.Method("post"), h.Action(SignOutPath), h.Class("account"),
		h.P(g.Text("You see the letters of "), h.B(g.Text(partner)), g.Text(".")),
		h.Button(h.Type("submit"), h.Class("quiet"), g.Text("Sign out"))))
}

func unknown(http.ResponseWriter, *http.Request) error {
	return &layout.Problem{Status: http.StatusNotFound, Title: "Letter not found",
		Text: "It may have been deleted, or it is more than 30 days old."}
}

// list shows what has gone out.
func (s *pages) list(w http.ResponseWriter, r *http.Request) error {
	if before := r.URL.Query().Get("before"); before != "" && !isID(before) {
		return unknown(w, r)
	}
	// Only our own texts are shown, never text from the address.
	done, _ := layout.FindCommand(behaviours(s.partner(r)), r.URL.Query().Get("done"))
	return s.overview(w, r, http.StatusOK, done.Done, "")
}

func (s *pages) overview(w http.ResponseWriter, r *http.Request, status int, done, problem string) error {
	partner, before, next := s.partner(r), r.URL.Query().Get("before"), ""
	letters, err := s.Store.Letters(r.Context(), before, lettersPerPage, From(partner))
	if err != nil {
		return err
	}
	if len(letters) == lettersPerPage {
		next = PagePath + "?before=" + letters[lettersPerPage-1].ID
	}
	var settings []Setting
	for _, c := range Carriers() {
		setting, err := s.Setting(r.Context(), c, partner)
		if err != nil {
			return err
		}
		settings = append(settings, setting)
	}
	if layout.WantsJSON(r) && status == http.StatusOK {
		return layout.WriteJSON(w, status, map[string]any{"letters": wire(letters), "settings": settings, "next": next})
	}
	list := layout.Cards("letters", "What went out", g.Map(letters, card))
	switch {
	case len(letters) == 0 && before != "":
		list = layout.Empty("There are no older letters.")
	case len(letters) == 0:
		list = layout.Empty("Nothing has gone out yet. Create a cancellation.")
	}
	return s.Show(w, status, title, problem,
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Everything that Aviso has sent in the last 30 days, by e-mail, post and fax. "+
			"Open a letter or a fax to decide what happens to it.")),
		layout.Outcome(done, problem),
		g.Map(settings, func(s Setting) g.Node { return settingNote(s, partner) }),
		list,
		layout.Pagination(before != "", PagePath, next),
		g.If(before == "", settingForm(partner)),
		signedIn(partner),
	)
}

// settingNote shows that a carrier does not behave normally.
func settingNote(s Setting, partner string) g.Node {
	c, _ := layout.FindCommand(behaviours(partner), string(s.Behaviour))
	return g.If(s.Behaviour != Normal, h.P(h.Class("empty"), layout.Tag("off", name(s.Carrier)),
		g.Text(" "+strings.TrimSuffix(c.Done, ".")+" until "), layout.Timestamp(s.Until), g.Text(".")))
}

// settingForm is the form for the behaviour with new letters.
func settingForm(partner string) g.Node {
	options := g.Group{
		h.Option(h.Value(""), g.Text("Both carriers")),
		g.Map(Carriers(), func(c Carrier) g.Node { return h.Option(h.Value(string(c)), g.Text(name(c))) }),
	}
	return layout.CommandForm("coming", PagePath, "New letters and faxes",
		h.Div(h.Class("fields"), layout.Choice("carrier", "Carrier", nil, options), layout.Minutes()),
		"behaviour", behaviours(partner))
}

func name(c Carrier) string {
	return map[Carrier]string{Post: "Post office", Fax: "Fax gateway", Email: "Mail"}[c]
}

// words returns a delivery method for people.
func (how How) words() string {
	return map[How]string{Mail: "Letter", RegisteredMail: "Registered letter", ByFax: "Fax", ByEmail: "E-mail"}[how]
}

// card shows a letter in a list.
func card(l Letter) g.Node {
	return h.Li(h.Div(
		h.A(h.Href(l.path()), h.B(g.Text(l.addressee()))), g.Text(" "), l.tags(),
		g.If(l.Subject != "", h.Small(g.Text(l.Subject))),
		h.Small(g.Text(l.How.words()+", "), layout.Timestamp(l.CreatedAt)),
		g.If(l.CancellationID != "", h.Small(g.Text("Cancellation "), h.Code(g.Text(l.CancellationID)))),
		g.If(l.HasFile || l.AwaitsReply(), h.Small(h.Class("links"),
			g.If(l.HasFile, h.A(h.Href(l.file()), g.Text("Open the PDF"))),
			g.If(l.AwaitsReply(), h.A(h.Href(l.replyPath()), g.Text("Answer it"))))),
	))
}

// tags show the state in words, and the organization's answer.
func (l Letter) tags() g.Node {
	state, class := l.State.words(), "off"
	if l.Reply == Confirmed {
		class = "on"
	}
	return g.Group{
		layout.Tag(state.Class, state.Text),
		g.If(l.Lost(), g.Group{g.Text(" "), layout.Tag("off", "Lost")}),
		g.If(l.Reply != "", g.Group{g.Text(" "), layout.Tag(class, replyWords(l.Reply))}),
	}
}

// addressee returns the first line of the address, or the fax number.
func (l Letter) addressee() string {
	first, _, _ := strings.Cut(l.To, "\n")
	switch {
	case first != "":
		return first
	case l.Pages == 0:
		return "Not processed yet"
	default:
		return "No address found"
	}
}

// set handles the form for new letters.
func (s *pages) set(w http.ResponseWriter, r *http.Request, form url.Values) error {
	err := s.UpdateSetting(r.Context(), s.partner(r), form)
	return layout.Done(w, err, PagePath+"?done="+form.Get("behaviour"), func(status int, problem string) error {
		return s.overview(w, r, status, "", problem)
	})
}

func isID(id string) bool { return len(id) == 36 && uuid.Validate(id) == nil }

// withLetter loads the letter in the path for a page.
func (s *pages) withLetter(answer func(w http.ResponseWriter, r *http.Request, l Letter) error) layout.PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		l, err := Letter{}, outcome.ErrNotFound
		if id := r.PathValue("letter"); isID(id) {
			l, err = s.Store.Letter(r.Context(), id)
		}
		partner := s.partner(r)
		if errors.Is(err, outcome.ErrNotFound) || err == nil && partner != "" && l.Partner != partner {
			return unknown(w, r)
		}
		if err != nil {
			return err
		}
		return answer(w, r, l)
	}
}

// order handles a command for a letter.
func (s *pages) order(w http.ResponseWriter, r *http.Request, form url.Values) error {
	return s.withLetter(func(w http.ResponseWriter, r *http.Request, l Letter) error {
		err := s.Apply(r.Context(), l, form)
		return layout.Done(w, err, l.path()+"?done="+form.Get("action"), func(status int, problem string) error {
			return s.detail(w, r, status, l, "", problem)
		})
	})(w, r)
}

// pdf shows a letter's PDF, also embedded in its page.
func (s *pages) pdf(w http.ResponseWriter, r *http.Request, l Letter) error {
	d, err := sandboxdb.GetOr(r.Context(), s.Store.Store, Document{LetterID: l.ID})
	switch {
	case err != nil:
		return fmt.Errorf("read document: %w", err)
	case d.Forget.IsZero():
		return &layout.Problem{Status: http.StatusNotFound, Title: "Document not found",
			Text: "Aviso deleted the document, or there never was one."}
	case !LooksLikePDF(d.Content):
		return &layout.Problem{Status: http.StatusUnprocessableEntity, Title: "The document is not a PDF",
			Text: "Only PDFs can be shown."}
	}
	// The policy of the pages would break the browser's PDF viewer, which has its own
	// styles. The response is always a PDF.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `inline; filename="`+l.ID+`.pdf"`)
	_, _ = w.Write(d.Content)
	return nil
}

func (s *pages) show(w http.ResponseWriter, r *http.Request, l Letter) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusOK, wireOf(l))
	}
	done, _ := layout.FindCommand(append(commands(l.Carrier), layout.Commands("delay")...), r.URL.Query().Get("done"))
	return s.detail(w, r, http.StatusOK, l, done.Done, "")
}

// detail writes the page of one letter.
func (s *pages) detail(w http.ResponseWriter, r *http.Request, status int, l Letter, done, problem string) error {
	site, method := s.Site, l.How.words()
	site.Header = layout.HeaderText(name(l.Carrier))
	_, moves := l.wait()
	return site.Show(w, status, method, problem,
		layout.Step(h.A(h.Href(PagePath), g.Text(title))),
		h.H1(g.Text(method)),
		layout.Outcome(done, problem),
		l.facts(moves && l.HeldUntil.After(s.TimeOf(r.Context(), l))),
		l.forms(moves),
		// On phones the link opens it.
		g.If(l.HasFile, h.Object(h.Class("paper"), h.Type("application/pdf"), g.Attr("data", l.file()),
			h.Aria("label", "The letter as a PDF"), h.P(g.Text("This browser cannot show PDFs in a page.")))),
		signedIn(s.partner(r)),
	)
}

func (l Letter) facts(held bool) g.Node {
	posted, arrived := l.Posted, "Arrived"
	if l.Carrier == Email { // a mail is here because it was sent
		arrived = "Sent"
	}
	fact := func(name, value string) g.Node { return g.If(value != "", layout.Fact(name, g.Text(value))) }
	lines := func(text string) g.Node { return h.Span(h.Class("lines"), g.Text(text)) }
	return layout.Facts(
		layout.Fact("State", g.Group{l.tags(),
			g.If(held, g.Group{g.Text(" delayed until "), layout.Timestamp(l.HeldUntil)})}),
		g.If(l.To != "", layout.Fact("To", lines(l.To))),
		g.If(l.CancellationID != "", layout.Fact("Cancellation", g.Group{
			h.Code(g.Text(l.CancellationID)),
			g.If(l.AwaitsReply(), g.Group{g.Text(" "), h.A(h.Href(l.replyPath()), g.Text("Answer it"))}),
		})),
		fact("Subject", l.Subject),
		g.If(posted.DeliveryProduct != "", fact("Sent by",
			posted.DeliveryProduct+", "+posted.PrintMode+", "+posted.PrintSpectrum)),
		g.If(l.HasFile, layout.Fact("Document", h.A(h.Href(l.file()), g.Text("Open the PDF")))),
		g.If(!l.HasFile && l.Carrier == Email, fact("Document", "too large to be shown here")),
		g.If(l.Text != "", layout.Fact("Text", lines(l.Text))),
		g.If(posted.TrackingNumber != "", layout.Fact("Tracking", h.Code(g.Text(posted.TrackingNumber)))),
		g.If(l.Faxed.ErrorMessage != "", fact("Failure",
			l.Faxed.ErrorType+" "+strconv.Itoa(l.Faxed.ErrorCode)+": "+l.Faxed.ErrorMessage)),
		g.If(l.Pages > 0, fact("Pages", strconv.Itoa(l.Pages))),
		layout.Fact(arrived, layout.Timestamp(l.CreatedAt)),
		layout.Fact("History", h.Ol(h.Class("number"), g.Map(l.History, func(e Entry) g.Node {
			return h.Li(eventTime(e.At, l.CreatedAt), g.Text(" "+e.State.words().Text+" "), h.Code(g.Text(string(e.State))))
		}))),
		g.If(len(l.Notices) > 0, layout.Fact("Callbacks", h.Ol(g.Map(l.Notices, noticeItem)))),
		layout.Fact("ID", h.Code(g.Text(l.ID))),
	)
}

// eventTime shows a time to the second, because most letters take only seconds. It adds the
// day if that is not the letter's own day.
func eventTime(t, arrived time.Time) g.Node {
	form := "15:04:05"
	if t.UTC().Format(time.DateOnly) != arrived.UTC().Format(time.DateOnly) {
		form = "2 January, 15:04:05"
	}
	return h.Time(h.DateTime(t.UTC().Format(time.RFC3339)), g.Text(t.UTC().Format(form)))
}

// noticeItem shows the result of a notice.
func noticeItem(n Notice) g.Node {
	result := "not sent yet"
	switch {
	case n.Acknowledged:
		result = "acknowledged with " + strconv.Itoa(n.LastStatus)
	case n.LastStatus != 0:
		result = "refused with " + strconv.Itoa(n.LastStatus) + ", attempt " + strconv.Itoa(n.Attempts)
	case n.Attempts > 0:
		result = "no response, attempt " + strconv.Itoa(n.Attempts)
	}
	text := n.Event
	if n.Reason != "" {
		text += " (" + n.Reason + ")"
	}
	return h.Li(g.Text(text + ": " + result))
}

// forms shows the commands that are possible now.
func (l Letter) forms(moves bool) g.Node {
	var possible []layout.Command
	for _, c := range commands(l.Carrier) {
		if l.choose(c.Value) != nil || c.Value == "lose" && (moves || len(possible) > 0) {
			possible = append(possible, c)
		}
	}
	switch {
	case l.Carrier == Email:
		return layout.Empty("SES has accepted this mail. Whether it arrives depends on the recipient's address, as in " +
			"SES's mailbox simulator. The status of the cancellation says so.")
	case l.Lost():
		return layout.Empty("This item is lost. Its state never changes again.")
	case len(possible) == 0 && l.CompletedAt.IsZero():
		return layout.Empty("It is waiting for Aviso. There is nothing to choose until Aviso continues.")
	case len(possible) == 0:
		return layout.Empty("It is complete. There is nothing more to choose.")
	}
	return g.Group{
		layout.CommandForm("fate", l.path(), "What happens next", nil, "action", possible),
		g.If(moves,
			layout.CommandForm("wait", l.path(), "Or delay it", layout.Minutes(), "action", layout.Commands("delay"))),
	}
}
