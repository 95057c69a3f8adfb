package postoffice

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"aviso/internal/sandbox/mailroom"
)

// create creates a letter from an uploaded file.
func (s *Server) create(r *http.Request) (change, error) {
	f, err := attributes(r, "")
	if err != nil {
		return change{}, err
	}
	l, upload, err := s.draft(r, f)
	if err != nil {
		return change{}, err
	}
	if err := s.New(r, &l, validating); err != nil {
		return change{}, err
	}
	return change{letter: l, document: upload.Content, status: http.StatusCreated}, nil
}

// draft converts the attributes to a new letter.
func (s *Server) draft(r *http.Request, f fields) (l mailroom.Letter, upload mailroom.Upload, err error) {
	l = mailroom.Letter{How: mailroom.Mail, HasFile: true, Base: s.Base(r)}
	p := &l.Posted
	var address, signature string
	if !f.given("auto_send") || json.Unmarshal(f["auto_send"], &p.AutoSend) != nil {
		return l, upload, invalid("auto_send", "The attribute is required and must be a boolean.")
	}
	// Only the first error is reported.
	if err := errors.Join(
		f.only("file_original_name file_url file_url_signature address_position auto_send "+
			"delivery_product print_mode print_spectrum sender_address meta_data"),
		f.text("file_original_name", true, &l.FileName),
		f.text("file_url", true, &address),
		f.text("file_url_signature", true, &signature),
		f.word("address_position", positions, true, &p.AddressPosition),
		f.text("sender_address", false, &p.SenderAddress),
	); err != nil {
		return l, upload, err
	}
	if len(l.FileName) > 255 {
		return l, upload, invalid("file_original_name", "The name is too long.")
	}
	if err := f.print(&l, p.AutoSend); err != nil {
		return l, upload, err
	}
	l.CancellationID, l.Partner = mailroom.FindCancellation(l.FileName), mailroom.FindPartner(l.FileName)
	upload, err = s.uploaded(r, address, signature)
	return l, upload, err
}

// send prints and sends a valid letter.
func (s *Server) send(r *http.Request, l mailroom.Letter) (change, error) {
	f, err := attributes(r, l.ID)
	if err == nil {
		err = f.only("delivery_product print_mode print_spectrum meta_data")
	}
	if err == nil {
		err = f.print(&l, true)
	}
	switch {
	case err != nil:
		return change{}, err
	case l.State != valid:
		return change{}, wrongState("Only a valid letter can be sent.")
	}
	submit(&l, s.Processor.TimeOf(r.Context(), l))
	return change{letter: l, status: http.StatusOK}, nil
}

// cancel stops a letter that has not been printed yet.
func (s *Server) cancel(r *http.Request, l mailroom.Letter) (change, error) {
	if l.State != submitted && l.State != processing {
		return change{}, wrongState("The letter cannot be cancelled in its current state.")
	}
	l.HeldUntil = l.CreatedAt
	l.SetState(cancelling, s.Processor.TimeOf(r.Context(), l))
	return change{letter: l, status: http.StatusAccepted, silent: true}, nil
}

func (s *Server) show(_ *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	return s.reply(http.StatusOK, l), nil
}

// reply returns a letter as a response.
func (s *Server) reply(status int, l mailroom.Letter) mailroom.Reply {
	return mailroom.JSON(status, mediaType, map[string]any{"data": s.detail(l), "included": []any{}})
}

// remove deletes a letter with its document.
func (s *Server) remove(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	if !deletable(l.State) {
		return mailroom.Reply{}, wrongState("The letter cannot be deleted in its current state.")
	}
	err := s.Processor.Store.Delete(r.Context(), l, mailroom.Document{LetterID: l.ID})
	return mailroom.Reply{Status: http.StatusNoContent}, err
}

// These are the page sizes of a list.
const defaultLimit, maxLimit = 20, 100

// list returns a page of letters.
func (s *Server) list(r *http.Request) (mailroom.Reply, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return mailroom.Reply{}, badRequest("The query is not valid.")
	}
	for name := range q {
		if !mailroom.OneOf(name, "page[number] page[limit] sort") && !strings.HasPrefix(name, "fields[") {
			return mailroom.Reply{}, badParameter("", "The query has an unknown parameter.")
		}
	}
	number, err := whole(q, "page[number]", 1, 1<<20)
	if err != nil {
		return mailroom.Reply{}, err
	}
	limit, err := whole(q, "page[limit]", defaultLimit, maxLimit)
	if err != nil {
		return mailroom.Reply{}, err
	}
	sort := q.Get("sort")
	if !mailroom.OneOf(sort, "created_at -created_at") && q.Has("sort") {
		return mailroom.Reply{}, badParameter("sort", "The value must be created_at or -created_at.")
	}
	all := func(mailroom.Letter) bool { return true }
	letters, total, err := s.List(r, all, sort == "created_at", number, limit)
	last := max((total+limit-1)/limit, 1)
	link := func(number int) *string {
		if number < 1 || number > last {
			return nil
		}
		q := url.Values{"page[number]": {strconv.Itoa(number)}, "page[limit]": {strconv.Itoa(limit)}, "sort": q["sort"]}
		return new(s.Base(r) + r.URL.Path + "?" + q.Encode())
	}
	data := make([]resource, len(letters))
	for i, l := range letters {
		data[i] = s.item(l)
	}
	meta := map[string]any{
		"current_page": number, "last_page": last, "per_page": limit, "total": total, "from": nil, "to": nil,
	}
	if len(data) > 0 {
		meta["from"], meta["to"] = (number-1)*limit+1, (number-1)*limit+len(data)
	}
	return mailroom.JSON(http.StatusOK, mediaType, map[string]any{
		"data": data, "included": []any{}, "meta": meta,
		"links": map[string]*string{"first": link(1), "last": link(last), "prev": link(number - 1),
			"next": link(number + 1), "self": link(number)},
	}), err
}

func whole(q url.Values, name string, fallback, most int) (int, error) {
	n, ok := mailroom.PositiveInt(q, name, fallback, most)
	if !ok {
		return 0, badParameter(name, "The parameter must be a whole number from 1 to "+strconv.Itoa(most)+".")
	}
	return n, nil
}
