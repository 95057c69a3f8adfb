package cancellation

import (
	"slices"
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/deadline"
)

const reasonPointer = "/reason/"

// cause returns the request's reason with the article that the law of the locale's country
// knows it by, for contracts of the product's sector.
func (r Request) cause(p Product) (deadline.Reason, error) {
	if r.Reason.Kind == "" {
		return deadline.Reason{}, nil
	}
	known := deadline.Grounds(r.Locale.Country(), p.sector())
	i := slices.IndexFunc(known, func(g deadline.Ground) bool { return g.Kind == r.Reason.Kind })
	if i < 0 {
		kinds := []string{"Ordinary"}
		for _, g := range known {
			kinds = append(kinds, string(g.Kind))
		}
		return deadline.Reason{}, apierror.Invalid(apierror.Field{
			Pointer: reasonPointer + "kind", Code: "unknown_to_law",
			Detail: "We know no such right in the country of the locale for this kind of contract. Known: " +
				strings.Join(kinds, ", ") + ".",
		})
	}
	if known[i].NeedsDate && r.Reason.Date == "" {
		return deadline.Reason{}, apierror.Invalid(apierror.Field{
			Pointer: reasonPointer + "date", Code: "required", Detail: "The letter needs the day of the event.",
		})
	}
	r.Reason.Article = known[i].Cite(r.Locale.Language())
	return r.Reason, nil
}
