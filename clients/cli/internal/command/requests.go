package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// request is one of the partner's requests, as the console lists it.
type request struct {
	At        time.Time `json:"at"`
	RequestID string    `json:"requestId"`
	TraceID   string    `json:"traceId"`
	Operation string    `json:"operation"`
	Route     string    `json:"route"`
	Status    int       `json:"status"`
	Problem   string    `json:"problem,omitempty"`
	Faults    []string  `json:"faults,omitempty"`
	TookMs    float64   `json:"tookMs"`
	Replayed  bool      `json:"replayed,omitempty"`
}

func (a *app) requests() *cobra.Command {
	query, all, limit := url.Values{}, false, 0
	cmd := a.command("requests", "List your server's requests that failed, the newest first", func(ctx context.Context, _ []string) error {
		if all {
			query.Set("all", "")
		}
		l, err := a.credentials()
		if err != nil {
			return err
		}
		found, more, err := readRequests(ctx, l, query, limit)
		if err != nil {
			return err
		}
		if more {
			a.note("These are the first %d. There are more: --limit 0 lists all.", len(found))
		}
		return list(a, "requests", found, []string{"AT", "STATUS", "PROBLEM", "OPERATION", "TOOK", "TRACE ID", "FIELDS"},
			func(r request) []string {
				return []string{moment(r.At), strconv.Itoa(r.Status), r.Problem, r.Operation, fmt.Sprintf("%.0f ms", r.TookMs), r.TraceID,
					strings.Join(r.Faults, ", ")}
			})
	})
	cmd.Long = `List your server's requests, the newest first: the failed ones of 7 days, or with --all those of
24 hours. It signs in to the console. Where people sign in there, in acceptance and production,
it says which page has the list.`
	for _, f := range []struct{ name, usage string }{
		{"path", "only those with this part in the path or operation"}, {"status", "only those with this status, such as 422 or 4xx"},
		{"user", "only those for this user: a user ID, or yours"}, {"day", "only those of this day in UTC, such as 2026-03-02"},
	} {
		cmd.Flags().Func(f.name, f.usage, func(value string) error {
			query.Set(f.name, value)
			return nil
		})
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that succeeded")
	return limitFlag(cmd, &limit)
}

// readRequests signs in to the console and reads its list. more says that the limit has ended it.
func readRequests(ctx context.Context, l login, query url.Values, limit int) (found []request, more bool, err error) {
	jar, _ := cookiejar.New(nil) // cannot fail
	client := &http.Client{
		Jar: jar, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	page := l.BaseURL + "/console/requests"
	form := url.Values{"clientId": {l.ClientID}, "clientSecret": {l.ClientSecret}}
	res, err := send(ctx, client, http.MethodPost, l.BaseURL+"/console/sign-in", form.Encode())
	if err != nil {
		return nil, false, err
	}
	switch res.Body.Close(); {
	case res.StatusCode == http.StatusNotFound:
		return nil, false, fmt.Errorf("people sign in to this environment's console themselves: open %s (%w)", page, errNotLoggedIn)
	case res.StatusCode != http.StatusSeeOther:
		return nil, false, fmt.Errorf("the console answers the sign-in with %d (%w)", res.StatusCode, errNotLoggedIn)
	}
	for {
		res, err := send(ctx, client, http.MethodGet, page+".json?"+query.Encode(), "")
		if err != nil {
			return nil, false, err
		}
		var got struct {
			Requests []request
			Before   string
		}
		err = json.NewDecoder(res.Body).Decode(&got)
		_ = res.Body.Close()
		switch {
		case res.StatusCode == http.StatusUnprocessableEntity:
			return nil, false, usage("the console does not understand --status, --user or --day: is the user yours?")
		case res.StatusCode != http.StatusOK || err != nil:
			return nil, false, errors.Join(fmt.Errorf("the console answers with %d", res.StatusCode), err)
		}
		found = append(found, got.Requests...)
		if limit > 0 && len(found) > limit {
			return found[:limit], true, nil
		}
		if got.Before == "" || limit > 0 && len(found) == limit {
			return found, got.Before != "", nil
		}
		query.Set("before", got.Before)
	}
}

func send(ctx context.Context, client *http.Client, method, address, form string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("User-Agent", "aviso-cli/"+aviso.Version)
	res, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", aviso.ErrConnectionFailed, err)
	}
	return res, nil
}
