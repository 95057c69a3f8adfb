package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
)

type thing struct {
	ThingID string `json:"thingId"`
	Name    string `json:"name"`
}

type thingData struct {
	Thing thing `json:"thing"`
}

// whoData has what the HTTP layer read from the request.
type whoData struct {
	Partner   string `json:"partner"`
	User      string `json:"user"`
	BaseURL   string `json:"baseUrl"`
	RequestID string `json:"requestId"`
}

type newThing struct {
	DryRun bool `query:"dryRun"`
	Body   struct {
		Name  string      `json:"name" minLength:"1" maxLength:"300000"`
		Kind  string      `json:"kind,omitempty" enum:"Round,Square"`
		Count api.Integer `json:"count,omitempty" minimum:"0"`
		Price float64     `json:"price,omitempty"`
		When  time.Time   `json:"when,omitzero"`
		Place string      `json:"place,omitempty" format:"uri"`
		Ref   string      `json:"ref,omitempty" format:"uuid"`
		Mail  string      `json:"mail,omitempty" format:"email"`
		Code  string      `json:"code,omitempty" pattern:"^[A-Z]{2}$"`
		Open  bool        `json:"open,omitempty"`
		Parts []part      `json:"parts,omitempty" maxItems:"3"`
	}
}

type part struct {
	Label string `json:"label" maxLength:"8"`
	Size  int    `json:"size,omitempty"`
}

type thingPath struct {
	ThingID string    `path:"thingId" format:"uuid" minLength:"36" maxLength:"36"`
	Depth   int       `query:"depth" minimum:"1"`
	Since   time.Time `query:"since"`
	Deep    bool      `query:"deep"`
	Trace   int       `header:"X-Depth"`
}

type listThings struct {
	api.Page
	Kind string `query:"kind"`
}

type listData struct {
	Things []thing `json:"things" nullable:"false"`
}

// operations is a small area: a partner's things.
type operations struct {
	made    atomic.Int64
	entered chan struct{} // a thing called Slow is being made
	gate    chan struct{} // lets it be made
	once    atomic.Bool   // a thing called Once was made
	read    func(context.Context) error
	// store has a row for each thing; nil if the test needs none.
	store *dynamo.Table
}

func register(r *api.Router) *operations {
	o := &operations{entered: make(chan struct{}, 1), gate: make(chan struct{})}
	api.Register(r, api.Operation{
		ID: "createThing", Method: http.MethodPost, Path: "/test/v1/things", Scope: api.Identity, Creates: true,
		Status: http.StatusCreated, AlsoOK: http.StatusOK,
	}, o.create)
	api.Register(r, api.Operation{
		ID: "createMine", Method: http.MethodPost, Path: "/test/v1/mine", Scope: api.Identity, Creates: true, ForUser: true,
		Status: http.StatusCreated,
	}, o.create)
	read := func(path string, scope api.Scope, forUser bool) api.Operation {
		return api.Operation{ID: "read" + path, Method: http.MethodGet, Path: "/test/v1/" + path, Scope: scope, ForUser: forUser}
	}
	for _, path := range []string{"things", "others", "things/changes"} {
		api.Register(r, read(path, api.Identity, false), o.list(r))
	}
	api.Register(r, read("mine", api.PFM, true), o.list(r))
	api.Register(r, read("things/{thingId}", api.Identity, false), func(context.Context, *thingPath) (*api.Response[whoData], error) {
		return api.OK(whoData{}), nil
	})
	api.Register(r, api.Operation{
		ID: "deleteThing", Method: http.MethodDelete, Path: "/test/v1/things/{thingId}", Scope: api.Identity,
		Status: http.StatusNoContent,
	}, func(context.Context, *thingPath) (*api.Empty, error) { return &api.Empty{}, nil })
	api.Register(r, read("who", api.PFM, true), who)
	api.Register(r, read("read", api.PFM, false), func(ctx context.Context, _ *struct{}) (*api.Response[whoData], error) {
		if err := o.read(ctx); err != nil {
			return nil, fmt.Errorf("read thing: %w", err)
		}
		return api.OK(whoData{}), nil
	})
	api.Register(r, read("unwritable", api.PFM, false), func(context.Context, *struct{}) (*api.Response[time.Time], error) {
		return api.OK(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), nil // no such year in RFC 3339
	})
	api.Register(r, api.Operation{
		ID: "old", Method: http.MethodGet, Path: "/test/v1/old", Scope: api.PFM, ForUser: true,
		Deprecated: &api.Deprecation{
			Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Sunset: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
			Guide: "https://api.example/guide", Successor: "https://api.example/test/v2/new",
		},
	}, who)
	for name, h := range odd() {
		r.Raw(api.Operation{ID: name, Method: http.MethodGet, Path: "/test/odd/" + name}, h)
	}
	r.Raw(api.Operation{ID: "form", Method: http.MethodPost, Path: "/test/form", Form: true},
		func(w http.ResponseWriter, req *http.Request) {
			_ = req.ParseForm()
			_, _ = w.Write([]byte(req.PostForm.Get("a")))
		})
	return o
}

// odd has broken handlers, and one that shows its request.
func odd() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"panic":   func(http.ResponseWriter, *http.Request) { panic("lost the plot") },
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"twice": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			w.WriteHeader(http.StatusOK)
		},
		"halfway": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "half=baked")
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte("half an ans"))
			panic("lost the plot")
		},
		"change-of-mind": func(w http.ResponseWriter, req *http.Request) {
			_, _ = w.Write([]byte("all is "))
			api.WriteProblem(w, req, apierror.New(apierror.Conflict, "It is not."))
		},
		"noted": func(w http.ResponseWriter, req *http.Request) {
			api.NoteCause(req.Context(), errUnexpected)
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"show": func(w http.ResponseWriter, req *http.Request) {
			h := w.Header()
			h.Set("Seen-Path", req.URL.Path)
			h.Set("Seen-Query", req.URL.RawQuery)
			h.Set("Seen-Address", req.RemoteAddr)
			h.Set("Seen-Host", req.Host)
			h.Set("Seen-Ip", strconv.Quote(req.Header.Get("X-Psu-Ip-Address")))
			for name := range req.Header {
				h.Add("Seen-Names", name)
			}
			for _, c := range req.Cookies() {
				h.Add("Seen-Cookies", c.Name+"="+c.Value)
			}
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "1"})
			http.SetCookie(w, &http.Cookie{Name: "b", Value: "2"})
			_, _ = w.Write([]byte("shown"))
		},
		"binary": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write([]byte{0xff, 0xfe, 0x00})
		},
	}
}

func (o *operations) create(ctx context.Context, in *newThing) (*api.Response[thingData], error) {
	n := o.made.Add(1)
	response := func(made thing) *api.Response[thingData] { return api.With(http.StatusCreated, thingData{Thing: made}) }
	switch in.Body.Name {
	case "Refused":
		return nil, apierror.New(apierror.Conflict, "There is one already.")
	case "Misfit":
		return nil, apierror.WithFields(apierror.TemplateMismatch, "It does not fit.",
			apierror.Field{Pointer: "/parameters/0/fieldValue", Code: "format", Detail: "Must be an address.", FieldKey: "EMAIL"},
			apierror.Field{Pointer: "/parameters/1/fieldKey", Code: "unknown", Detail: "There is no such field."})
	case "Broken":
		return nil, errUnexpected
	case "Panic":
		panic("lost the plot")
	case "Slow":
		o.entered <- struct{}{}
		<-o.gate
	case "Once":
		if o.once.Swap(true) {
			return nil, &apierror.Error{Code: apierror.Conflict, Detail: "There is one already.", RetryAfter: time.Second}
		}
	case "Known":
		return api.OK(thingData{Thing: thing{ThingID: "0", Name: in.Body.Name}}), nil
	}
	made := thing{ThingID: strconv.FormatInt(n, 10), Name: in.Body.Name}
	if err := o.put(ctx, made, api.Effect(ctx, response)); err != nil {
		return nil, err
	}
	switch in.Body.Name {
	case "BrokenLater":
		return nil, errUnexpected
	case "PanicLater":
		panic("lost the plot")
	}
	return response(made), nil
}

// put stores a thing in a transaction, as the services do.
func (o *operations) put(ctx context.Context, made thing, also idempotency.Effect[thing]) error {
	if o.store == nil {
		return nil
	}
	var x dynamo.Transaction
	x.Put(*o.store, dynamo.Key{PK: "thing " + made.ThingID, SK: "-"}, dynamo.Item{"name": dynamo.S(made.Name)}, dynamo.IfNew)
	also.Put(&x, made)
	return x.Commit(ctx)
}

// list returns three pages; the positions between them are 1 and 2.
func (o *operations) list(r *api.Router) func(context.Context, *listThings) (*api.Response[listData], error) {
	return func(ctx context.Context, in *listThings) (*api.Response[listData], error) {
		return api.Paged(ctx, r, in.NextToken, func(position string) (listData, string, error) {
			things := []thing{{Name: "at " + position, ThingID: strconv.Itoa(in.Limit)}}
			return listData{Things: things}, map[string]string{"": "1", "1": "2"}[position], nil
		})
	}
}

func who(ctx context.Context, _ *struct{}) (*api.Response[whoData], error) {
	u := api.User(ctx)
	return api.OK(whoData{Partner: string(u.Partner), User: string(u.ID), BaseURL: api.BaseURL(ctx), RequestID: api.RequestID(ctx)}), nil
}
