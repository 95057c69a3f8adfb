package postoffice

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/sandbox/mailroom"
)

// create makes a letter of an uploaded file.
func (s *Server) create(r *http.Request) (change, error) {
	f, err := attributes(r, "")
	if err != nil {
		return change{}, err
	}
	l, upload, err := s.draft(r, f)
	if err != nil {
		return change{}, err
	}
	setting, err := s.Clerk.Setting(r.Context(), mailroom.Post)
	if err != nil {
		return change{}, err
	}
	setting.Receive(&l, s.Now())
	return change{letter: l, document: upload.Content, status: http.StatusCreated}, nil
}

// draft reads a new letter out of its attributes.
func (s *Server) draft(r *http.Request, f fields) (l mailroom.Letter, upload mailroom.Upload, err error) {
	now := s.Now().UTC()
	l = mailroom.Letter{ID: s.NewID(), Carrier: mailroom.Post, How: mailroom.Mail, HasFile: true, Base: s.base(r), CreatedAt: now}
	l.Enter(validating, now)
	p := &l.Posted
	var address, signature string
	if !f.given("auto_send") || json.Unmarshal(f["auto_send"], &p.AutoSend) != nil {
		return l, upload, invalid("auto_send", "The attribute is required and must be a boolean.")
	}
	for _, check := range []func() error{
		func() error {
			return f.only("file_original_name file_url file_url_signature address_position auto_send delivery_product print_mode print_spectrum sender_address meta_data")
		},
		func() error { return f.text("file_original_name", true, &l.FileName) },
		func() error { return f.text("file_url", true, &address) },
		func() error { return f.text("file_url_signature", true, &signature) },
		func() error { return f.word("address_position", positions, true, &p.AddressPosition) },
		func() error { return f.text("sender_address", false, &p.SenderAddress) },
	} {
		if err := check(); err != nil {
			return l, upload, err
		}
	}
	if len(l.FileName) > 255 {
		return l, upload, invalid("file_original_name", "The name is too long.")
	}
	if err := s.print(&l, f, p.AutoSend); err != nil {
		return l, upload, err
	}
	l.CancellationID = mailroom.FindCancellation(l.FileName)
	upload, err = s.uploaded(r, address, signature)
	return l, upload, err
}

// print reads how the letter is to be printed and sent.
func (s *Server) print(l *mailroom.Letter, f fields, needed bool) error {
	how, err := f.printing(needed)
	if err != nil {
		return err
	}
	country, err := f.metaData()
	if err != nil {
		return err
	}
	p := &l.Posted
	p.DeliveryProduct, p.PrintMode, p.PrintSpectrum = how.product, how.mode, how.spectrum
	if country != "" {
		p.Country = country
	}
	l.How = mailroom.Mail
	if how.registered() {
		l.How = mailroom.RegisteredMail
	}
	return nil
}

// send has a valid letter printed and sent.
func (s *Server) send(r *http.Request) (change, error) {
	l, err := s.letter(r)
	if err != nil {
		return change{}, err
	}
	f, err := attributes(r, l.ID)
	if err == nil {
		err = f.only("delivery_product print_mode print_spectrum meta_data")
	}
	if err == nil {
		err = s.print(&l, f, true)
	}
	switch {
	case err != nil:
		return change{}, err
	case l.State != valid:
		return change{}, wrongState("Only a valid letter can be sent.")
	}
	submit(&l, s.Now().UTC())
	return change{letter: l, status: http.StatusOK}, nil
}

// cancel stops a letter that has not been printed.
func (s *Server) cancel(r *http.Request) (change, error) {
	l, err := s.letter(r)
	if err != nil {
		return change{}, err
	}
	if l.State != submitted && l.State != processing {
		return change{}, wrongState("The letter cannot be cancelled in its present state.")
	}
	l.HeldUntil = l.CreatedAt
	l.Enter(cancelling, s.Now().UTC())
	return change{letter: l, status: http.StatusAccepted, silent: true}, nil
}

func (s *Server) show(r *http.Request) (answer, error) {
	l, err := s.letter(r)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: encode(map[string]any{"data": detail(l, s.Credentials.OrganisationID), "included": []any{}})}, nil
}

// remove deletes a letter with its document.
func (s *Server) remove(r *http.Request) (answer, error) {
	l, err := s.letter(r)
	if err != nil {
		return answer{}, err
	}
	if !deletable(l.State) {
		return answer{}, wrongState("The letter cannot be deleted in its present state.")
	}
	if err := s.Clerk.Store.Delete(r.Context(), l, mailroom.Document{LetterID: l.ID}); err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusNoContent}, nil
}

// The pages of a list.
const defaultLimit, maxLimit = 20, 100

// list lists letters by pages.
func (s *Server) list(r *http.Request) (answer, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return answer{}, badRequest("The query cannot be read.")
	}
	for name := range q {
		if !oneOf(name, "page[number] page[limit] sort") && !strings.HasPrefix(name, "fields[") {
			return answer{}, badParameter("", "There is a parameter that the sandbox does not know.")
		}
	}
	number, err := whole(q, "page[number]", 1, 1<<20)
	if err != nil {
		return answer{}, err
	}
	limit, err := whole(q, "page[limit]", defaultLimit, maxLimit)
	if err != nil {
		return answer{}, err
	}
	sort := q.Get("sort")
	if !oneOf(sort, "created_at -created_at") && q.Has("sort") {
		return answer{}, badParameter("sort", "Letters are sorted by created_at or -created_at.")
	}
	// All of them are needed for the number of the last page; few arrive.
	all, err := s.Clerk.Store.Letters(r.Context(), mailroom.Post, "", 1<<20)
	if err != nil {
		return answer{}, err
	}
	p := newPage(all, number, limit, sort == "created_at")
	return answer{status: http.StatusOK, body: encode(p.wire(s.base(r)+r.URL.Path, q, s.Credentials.OrganisationID))}, nil
}
