package faxgateway

import (
	"net/http"
	"net/url"
	"strconv"

	"aviso/internal/sandbox/mailroom"
)

func (s *Server) ok(l mailroom.Letter) mailroom.Reply {
	return mailroom.JSON(http.StatusOK, jsonType, s.wire(l))
}

// create accepts a new fax.
func (s *Server) create(r *http.Request) (mailroom.Reply, error) {
	q, err := readRequest(r)
	if err != nil {
		return mailroom.Reply{}, err
	}
	l, err := q.letter(s.Base(r))
	if err != nil {
		return mailroom.Reply{}, err
	}
	if err := s.New(r, &l, queued); err != nil {
		return mailroom.Reply{}, err
	}
	var more []mailroom.Record
	if l.HasFile {
		// An unreadable document fails later, as it does at Sinch.
		if sheet, err := mailroom.Inspect(q.document); err == nil {
			l.Pages = sheet.Pages
		}
		more = append(more, mailroom.Document{LetterID: l.ID, Content: q.document, Forget: l.KeepUntil()})
	}
	return s.ok(l), s.Processor.Receive(r.Context(), l, more...)
}

func (s *Server) show(_ *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	return s.ok(l), nil
}

// file returns the document of a fax.
func (s *Server) file(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	d, err := s.Processor.Store.Document(r.Context(), l.ID)
	return mailroom.Reply{Status: http.StatusOK, Body: d.Content, Header: map[string]string{
		"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="fax-` + wireID(l.ID) + `.pdf"`,
	}}, err
}

// deleteFile deletes the document and keeps the fax.
func (s *Server) deleteFile(r *http.Request, l mailroom.Letter) (mailroom.Reply, error) {
	if l.HasFile {
		l.HasFile = false
		if err := s.Processor.Store.Save(r.Context(), l); err != nil {
			return mailroom.Reply{}, err
		}
	}
	err := s.Processor.Store.Delete(r.Context(), mailroom.Document{LetterID: l.ID})
	return mailroom.Reply{Status: http.StatusNoContent}, err
}

// These are the page sizes of a list.
const defaultPage, maxPage = 100, 1000

// list returns a page of faxes.
func (s *Server) list(r *http.Request) (mailroom.Reply, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return mailroom.Reply{}, badRequest("The query is not valid.")
	}
	size, err := whole(q, "pageSize", defaultPage, maxPage)
	if err != nil {
		return mailroom.Reply{}, err
	}
	number, err := whole(q, "page", 1, 1<<20)
	if err != nil {
		return mailroom.Reply{}, err
	}
	wanted, err := readFilter(q, s.UserNow(r))
	if err != nil {
		return mailroom.Reply{}, err
	}
	letters, total, err := s.List(r, wanted, false, number, size)
	faxes := make([]wireFax, len(letters))
	for i, l := range letters {
		faxes[i] = s.wire(l)
	}
	return mailroom.JSON(http.StatusOK, jsonType, map[string]any{
		"faxes": faxes, "pageNumber": number, "pageSize": size, "totalItems": total,
		"totalPages": (total + size - 1) / size,
	}), err
}

func whole(q url.Values, name string, fallback, most int) (int, error) {
	n, ok := mailroom.PositiveInt(q, name, fallback, most)
	if !ok {
		return 0, invalid(name, "The value must be a whole number from 1 to "+strconv.Itoa(most)+".")
	}
	return n, nil
}
