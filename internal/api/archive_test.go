package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/owner"
	"aviso/localstack/tests/clocktest"
)

// exporting is a router with an archive of one paged list, which has rows of some size.
type exporting struct {
	*testing.T
	router    *api.Router
	clock     *clocktest.Clock
	log       *lines
	rows, row int
	fails     error
}

func newExporting(t *testing.T) *exporting {
	t.Helper()
	e := &exporting{T: t, clock: clocktest.New(), log: &lines{}, rows: 450, row: 10}
	e.router = api.New(api.Options{
		Service: "things", BaseURL: baseURL, Pages: sealer(t, "page"), RateLimit: 2, Now: e.clock.Now, NewID: newID(),
		Log: slog.New(slog.NewJSONHandler(e.log, nil)),
		VerifyToken: func(context.Context, string, string) (token.Principal, error) {
			return token.Principal{}, token.ErrInvalid
		},
	})
	e.router.ServeExport("getThings", "/things/v1/export", func(in *api.Router) {
		type data struct {
			Things []string `json:"things" nullable:"false"`
		}
		api.Register(in, api.Operation{
			ID: "listThings", Method: http.MethodGet, Path: "/things/v1/things", Scope: api.PFM, ForUser: true,
		}, func(ctx context.Context, page *api.Page) (*api.Response[data], error) {
			return api.Paged(ctx, in, page.NextToken, func(position string) (data, string, error) {
				first, _ := strconv.Atoi(position)
				last, next := min(first+page.Limit, e.rows), strconv.Itoa(first+page.Limit)
				if last == e.rows {
					next = ""
				}
				var d data
				for range last - first {
					noise := make([]byte, e.row)
					_, _ = rand.Read(noise)
					d.Things = append(d.Things, string(api.User(ctx).ID)+hex.EncodeToString(noise))
				}
				return d, next, e.fails
			})
		})
	}, api.Exported{Path: "/things/v1/things", File: "things.jsonl"})
	return e
}

func (e *exporting) open(ticket string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	e.router.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, baseURL+"/things/v1/export?ticket="+ticket, nil))
	return rec
}

func (e *exporting) ticket() string {
	x := api.Export{User: owner.User{Partner: "acme", ID: userID}, Until: e.clock.Now().Add(time.Hour)}
	return e.router.Seal(x, api.ExportLink)
}

func TestExportHasAllPages(t *testing.T) {
	e := newExporting(t)
	for range 3 { // more than the rate limit
		rec := e.open(e.ticket())
		require.Equal(t, http.StatusOK, rec.Code, rec.Body)
		z, err := zip.NewReader(bytes.NewReader(rec.Body.Bytes()), int64(rec.Body.Len()))
		require.NoError(t, err)
		f, err := z.Open("things.jsonl")
		require.NoError(t, err)
		text, err := io.ReadAll(f)
		require.NoError(t, err)
		assert.Equal(t, 450, bytes.Count(text, []byte("\n")))
		assert.Equal(t, 450, bytes.Count(text, []byte(userID)))
	}
	line := e.log.last(t)
	assert.Equal(t, "acme", line["partner"], "the log says whose data somebody took")
	assert.Equal(t, owner.User{Partner: "acme", ID: userID}.Digest(), line["userDigest"])
	assert.NotContains(t, e.log.text(), userID)
}

func TestExportEnds(t *testing.T) {
	e := newExporting(t)
	ticket := e.ticket()
	x := api.Export{User: owner.User{Partner: "acme", ID: userID}, Until: e.clock.Now().Add(time.Hour)}
	for _, wrong := range []string{"", "x", ticket + "A", ticket[1:], e.router.Seal(x, "id")} {
		assert.Equal(t, http.StatusNotFound, e.open(wrong).Code, wrong)
	}
	e.clock.Advance(time.Hour)
	assert.Equal(t, http.StatusNotFound, e.open(ticket).Code)
}

func TestExportIsWholeOrRefused(t *testing.T) {
	e := newExporting(t)
	e.row = 12_000 // does not compress
	rec := e.open(e.ticket())
	assert.Equal(t, http.StatusUnprocessableEntity, rec.Code)
	assert.Contains(t, rec.Body.String(), "range_too_large")

	e.row, e.fails = 10, errors.New("the table is away")
	assert.Equal(t, http.StatusInternalServerError, e.open(e.ticket()).Code)
	e.fails = apierror.NoUser()
	assert.Equal(t, http.StatusNotFound, e.open(e.ticket()).Code, "erased")
}
