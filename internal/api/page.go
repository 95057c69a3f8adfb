package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/owner"
)

// pageLife is how long a page token is valid.
const pageLife = 24 * time.Hour

// MaxLimit is the maximum number of elements on a page.
const MaxLimit = 200

// Page has the query parameters of every list.
type Page struct {
	Limit     int    `query:"limit" minimum:"1" maximum:"2147483647" default:"50"`
	NextToken string `query:"nextToken" maxLength:"2048"`
}

// Paged returns the response with one page of a list. read also returns the position of the next page, or "" if there
// is none.
func Paged[D any](
	ctx context.Context, r *Router, token string, read func(position string) (page D, next string, err error),
) (*Response[D], error) {
	position, err := r.OpenPage(ctx, token)
	if err != nil {
		return nil, err
	}
	page, next, err := read(position)
	return PageOf(page, r.SealPage(ctx, next)), err
}

// OpenPage returns the position in a page token, or "" for the first page. The token must belong to the same partner,
// user, route and filters.
func (r *Router) OpenPage(ctx context.Context, token string) (string, error) {
	return r.OpenToken(ctx, "nextToken", token, pageLife)
}

// OpenToken is OpenPage for a token in another parameter, with another lifetime.
func (r *Router) OpenToken(ctx context.Context, parameter, token string, life time.Duration) (string, error) {
	if token == "" {
		return "", nil
	}
	invalid := apierror.WithFields(apierror.InvalidNextToken,
		parameter+" has expired, or is for another list or other filters.",
		apierror.Field{
			Parameter: parameter, Code: "invalid",
			Detail: "Use the " + parameter + " of the previous response, unchanged. Omit it to start from the beginning.",
		})
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return "", invalid
	}
	plain, err := r.opts.Pages.Open(sealed, binding(ctx))
	if err != nil {
		return "", invalid
	}
	made, position, _ := strings.Cut(string(plain), " ")
	seconds, err := strconv.ParseInt(made, 10, 64)
	if err != nil || r.opts.Now().Sub(time.Unix(seconds, 0)) > life {
		return "", invalid
	}
	return position, nil
}

// SealPage returns the token of the page that begins at position. It returns "" if
// position is empty.
func (r *Router) SealPage(ctx context.Context, position string) string {
	if position == "" {
		return ""
	}
	return token.SealPage(r.opts.Pages, r.opts.Now(), position, binding(ctx))
}

// binding has all parameters that are set, except those of the page itself. So no filter can be forgotten, and tokens
// remain valid when a release adds a filter.
func binding(ctx context.Context) string {
	c := callFrom(ctx)
	input := reflect.Indirect(reflect.ValueOf(c.input))
	var filters []string
	for _, field := range reflect.VisibleFields(input.Type()) {
		name := field.Tag.Get("query") + field.Tag.Get("path")
		value := input.FieldByIndex(field.Index)
		if value.IsZero() || slices.Contains([]string{"", "limit", "nextToken", "since"}, name) {
			continue
		}
		text := fmt.Sprint(value)
		if field.Tag.Get("format") == "uuid" {
			text = strings.ToLower(text)
		}
		filters = append(filters, name+"="+text)
	}
	slices.Sort(filters)
	return token.BindPage(c.route, owner.User{Partner: c.principal.Partner, ID: c.user}, filters...)
}
