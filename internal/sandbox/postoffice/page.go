package postoffice

import (
	"net/url"
	"slices"
	"strconv"

	"aviso/internal/sandbox/mailroom"
)

// page is a part of a list.
type page struct {
	letters             []mailroom.Letter
	number, limit, last int
	total               int
}

// newPage is a page of letters that come newest first.
func newPage(all []mailroom.Letter, number, limit int, oldestFirst bool) page {
	if oldestFirst {
		all = slices.Clone(all)
		slices.Reverse(all)
	}
	from := min((number-1)*limit, len(all))
	return page{all[from:min(from+limit, len(all))], number, limit, max((len(all)+limit-1)/limit, 1), len(all)}
}

func (p page) wire(address string, q url.Values, organisation string) any {
	link := func(number int) *string {
		if number < 1 || number > p.last {
			return nil
		}
		q := url.Values{"page[number]": {strconv.Itoa(number)}, "page[limit]": {strconv.Itoa(p.limit)}, "sort": q["sort"]}
		l := address + "?" + q.Encode()
		return &l
	}
	data := make([]resource, len(p.letters))
	for i, l := range p.letters {
		data[i] = item(l, organisation)
	}
	from := (p.number - 1) * p.limit
	meta := map[string]any{"current_page": p.number, "last_page": p.last, "per_page": p.limit, "total": p.total, "from": nil, "to": nil}
	if len(data) > 0 {
		meta["from"], meta["to"] = from+1, from+len(data)
	}
	return map[string]any{
		"data": data, "included": []any{}, "meta": meta,
		"links": map[string]*string{"first": link(1), "last": link(p.last), "prev": link(p.number - 1), "next": link(p.number + 1), "self": link(p.number)},
	}
}

// whole reads a whole number of the query, from 1 on.
func whole(q url.Values, name string, fallback, most int) (int, error) {
	if !q.Has(name) {
		return fallback, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 1 || n > most {
		return 0, badParameter(name, "The parameter must be a whole number from 1 to "+strconv.Itoa(most)+".")
	}
	return n, nil
}
