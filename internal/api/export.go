package api

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/owner"
)

// Export is a right to all data of one user, until a time. It is sealed into a text, so that nothing has to be stored
// and deleted: when the user is erased, there is nothing to export.
type Export struct {
	User  owner.User
	Until time.Time
}

// Seal returns the text of an export for one use.
func (r *Router) Seal(e Export, use string) string {
	plain := strings.Join([]string{strconv.FormatInt(e.Until.Unix(), 10), string(e.User.Partner), string(e.User.ID)}, " ")
	return base64.RawURLEncoding.EncodeToString(r.opts.Pages.Seal([]byte(plain), "export "+use))
}

// Open returns the export in a text for this use, and false if there is none or its time is up.
func (r *Router) Open(text, use string) (Export, bool) {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Export{}, false
	}
	plain, err := r.opts.Pages.Open(sealed, "export "+use)
	parts := strings.Split(string(plain), " ")
	if err != nil || len(parts) != 3 {
		return Export{}, false
	}
	seconds, err := strconv.ParseInt(parts[0], 10, 64)
	e := Export{owner.User{Partner: owner.PartnerID(parts[1]), ID: owner.UserID(parts[2])}, time.Unix(seconds, 0).UTC()}
	return e, err == nil && r.opts.Now().Before(e.Until)
}

// ExportLink is the use of a text in a link, which needs no access token.
const ExportLink = "link"

// Exported is a part of an archive: what an operation answers for the user. A list becomes a file of JSON Lines, with
// all pages. Of each element, Each adds more; {id} in its paths and files is the element's member ID.
type Exported struct {
	Path, File, ID string
	Each           []Exported
}

// maxArchive keeps an archive below what Lambda can answer: 6 MB in base64.
const maxArchive = 4 << 20

// ServeExport adds the link to an archive with what these operations answer. register adds them to a router of their
// own, whose services must admit users who have not accepted the terms in force: access needs no acceptance.
func (r *Router) ServeExport(id, path string, register func(*Router), parts ...Exported) {
	r.Raw(Operation{
		ID: id, Method: http.MethodGet, Path: path, Internal: true, Produces: "application/zip",
	}, func(w http.ResponseWriter, req *http.Request) {
		e, ok := r.Open(req.URL.Query().Get("ticket"), ExportLink)
		if !ok {
			WriteProblem(w, req, apierror.New(apierror.NotFound, "There is no export here, or the link has expired."))
			return
		}
		c := callFrom(req.Context())
		c.principal.Partner, c.user = e.User.Partner, e.User.ID // for the log
		x := &exporter{user: e.User, handler: r.inner(register).Handler(), req: req, files: map[string]*bytes.Buffer{}}
		archive, err := x.archive(parts)
		if err != nil {
			WriteProblem(w, req, err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "application/zip")
		h.Set("Content-Disposition", `attachment; filename="`+r.opts.Service+`.zip"`)
		_, _ = w.Write(archive)
	})
}

// inner returns a router for calls from this process only. It trusts the partner that a call names.
func (r *Router) inner(register func(*Router)) *Router {
	opts := r.opts
	opts.RateLimit, opts.Log = math.MaxInt32, slog.New(slog.DiscardHandler)
	opts.VerifyToken = func(_ context.Context, partner, _ string) (token.Principal, error) {
		all := []string{string(Identity), string(PFM), string(Cancellation)}
		return token.Principal{Partner: owner.PartnerID(partner), Scopes: all}, nil
	}
	in := New(opts)
	register(in)
	return in
}

// exporter collects the files of an archive.
type exporter struct {
	user    owner.User
	handler http.Handler
	req     *http.Request
	files   map[string]*bytes.Buffer
}

func (x *exporter) archive(parts []Exported) ([]byte, error) {
	for _, p := range parts {
		if err := x.add(p, string(x.user.ID)); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(x.files)) {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write(x.files[name].Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("close archive: %w", err)
	}
	if out.Len() > maxArchive {
		return nil, apierror.New(apierror.RangeTooLarge,
			"The archive has more than 4 MB. Read the lists of the API, which have the same data.")
	}
	return out.Bytes(), nil
}

// add adds the answers of one operation, page by page.
func (x *exporter) add(p Exported, id string) error {
	name := strings.ReplaceAll(p.File, "{id}", id)
	isList := strings.HasSuffix(name, ".jsonl")
	if x.files[name] == nil && isList {
		x.files[name] = &bytes.Buffer{}
	}
	for next := "first"; next != ""; {
		query := url.Values{"limit": {strconv.Itoa(MaxLimit)}}
		if next != "first" {
			query.Set("nextToken", next)
		}
		a, err := x.get(strings.ReplaceAll(p.Path, "{id}", id) + "?" + query.Encode())
		if err != nil {
			return err
		}
		if !isList {
			x.files[name] = bytes.NewBuffer(a.body)
			return nil
		}
		var page Envelope[map[string]json.RawMessage]
		if err := json.Unmarshal(a.body, &page); err != nil {
			return fmt.Errorf("read the answer of %s: %w", p.Path, err)
		}
		for _, member := range page.Data {
			if err := x.addRows(p, name, member); err != nil {
				return err
			}
		}
		next = page.Meta.Pagination.NextToken
	}
	return nil
}

// addRows adds the elements of a list, or one object, as lines.
func (x *exporter) addRows(p Exported, name string, member json.RawMessage) error {
	rows := []json.RawMessage{member}
	if member[0] == '[' {
		if err := json.Unmarshal(member, &rows); err != nil {
			return fmt.Errorf("read the list of %s: %w", p.Path, err)
		}
	}
	for _, row := range rows {
		x.files[name].Write(append(row, '\n'))
		if len(p.Each) == 0 {
			continue
		}
		var element map[string]any
		if err := json.Unmarshal(row, &element); err != nil {
			return fmt.Errorf("read an element of %s: %w", p.Path, err)
		}
		for _, each := range p.Each {
			err := x.add(each, fmt.Sprint(element[p.ID]))
			if err != nil && !apierror.Is(err, apierror.NotFound) { // it is gone by now
				return err
			}
		}
	}
	return nil
}

// get calls an operation for the user.
func (x *exporter) get(path string) (*answer, error) {
	req, err := http.NewRequestWithContext(x.req.Context(), http.MethodGet, path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	req.Host = cmp.Or(x.req.Host, "localhost")
	req.Header.Set("Authorization", "Bearer "+string(x.user.Partner))
	req.Header.Set(headerUser, string(x.user.ID))
	a := &answer{w: discard{http.Header{}}}
	x.handler.ServeHTTP(a, req)
	if a.status == http.StatusNotFound {
		return nil, apierror.New(apierror.NotFound, "There is no such user.")
	}
	if a.status != http.StatusOK {
		return nil, fmt.Errorf("read for an export: status %d, %.300s", a.status, a.body)
	}
	return a, nil
}

// discard is an answer whose copy is kept elsewhere.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) WriteHeader(int)             {}
func (discard) Write(b []byte) (int, error) { return len(b), nil }
