package faxgateway

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"aviso/internal/sandbox/mailroom"
)

// create takes a fax.
func (s *Server) create(r *http.Request) (answer, error) {
	q, err := readRequest(r)
	if err != nil {
		return answer{}, err
	}
	l, err := q.letter(s.base(r))
	if err != nil {
		return answer{}, err
	}
	setting, err := s.Clerk.Setting(r.Context(), mailroom.Fax)
	if err != nil {
		return answer{}, err
	}
	now := s.Now().UTC()
	l.ID, l.CreatedAt = s.NewID(), now
	l.Enter(queued, now)
	setting.Receive(&l, now)
	var more []mailroom.Record
	if l.HasFile {
		// What cannot be read fails later, as at Sinch.
		if sheet, err := mailroom.Inspect(q.document); err == nil {
			l.Pages = sheet.Pages
		}
		more = append(more, mailroom.Document{LetterID: l.ID, Content: q.document, Forget: l.KeepUntil()})
	}
	if err := s.Clerk.Receive(r.Context(), l, more...); err != nil {
		return answer{}, err
	}
	return ok(s.wire(l)), nil
}

func (s *Server) show(r *http.Request) (answer, error) {
	l, err := s.fax(r)
	if err != nil {
		return answer{}, err
	}
	return ok(s.wire(l)), nil
}

// file gives the document of a fax.
func (s *Server) file(r *http.Request) (answer, error) {
	l, err := s.fax(r)
	if err != nil {
		return answer{}, err
	}
	d, err := s.Clerk.Store.Document(r.Context(), l.ID)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, contentType: "application/pdf", body: d.Content, fileName: "fax-" + wireID(l.ID) + ".pdf"}, nil
}

// deleteFile deletes the document and leaves the fax.
func (s *Server) deleteFile(r *http.Request) (answer, error) {
	l, err := s.fax(r)
	if err != nil {
		return answer{}, err
	}
	if l.HasFile {
		l.HasFile = false
		if err := s.Clerk.Store.Save(r.Context(), l); err != nil {
			return answer{}, err
		}
	}
	if err := s.Clerk.Store.Delete(r.Context(), mailroom.Document{LetterID: l.ID}); err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusNoContent}, nil
}

// The pages of a list.
const defaultPage, maxPage = 100, 1000

// list lists faxes by pages.
func (s *Server) list(r *http.Request) (answer, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return answer{}, badRequest("The query cannot be read.")
	}
	size, err := whole(q, "pageSize", defaultPage, maxPage)
	if err != nil {
		return answer{}, err
	}
	number, err := whole(q, "page", 1, 1<<20)
	if err != nil {
		return answer{}, err
	}
	keep, err := readFilter(q, s.Now())
	if err != nil {
		return answer{}, err
	}
	// All of them are needed for their number; few arrive.
	all, err := s.Clerk.Store.Letters(r.Context(), mailroom.Fax, "", 1<<20)
	if err != nil {
		return answer{}, err
	}
	all = slices.DeleteFunc(all, func(l mailroom.Letter) bool { return !keep(l) })
	from := min((number-1)*size, len(all))
	faxes := []wireFax{}
	for _, l := range all[from:min(from+size, len(all))] {
		faxes = append(faxes, s.wire(l))
	}
	return ok(map[string]any{
		"faxes": faxes, "pageNumber": number, "pageSize": size, "totalItems": len(all), "totalPages": (len(all) + size - 1) / size,
	}), nil
}

// whole reads a whole number of the query, from 1 on.
func whole(q url.Values, name string, fallback, most int) (int, error) {
	if !q.Has(name) {
		return fallback, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 1 || n > most {
		return 0, invalid(name, "The value must be a whole number from 1 to "+strconv.Itoa(most)+".")
	}
	return n, nil
}
