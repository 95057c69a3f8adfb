package pfmapi

import (
	"maps"
	"slices"
	"strconv"

	"aviso/internal/jsonwriter"
)

// providerBytes is the approximate size of a provider as JSON.
const providerBytes = 600

// AppendJSON implements api.JSONAppender, because everybody who connects a bank
// requests pages of banks first.
func (d providersData) AppendJSON(b []byte) []byte {
	b = slices.Grow(b, providerBytes*len(d.Providers))
	b = append(b, `{"providers":[`...)
	for i, p := range d.Providers {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.appendJSON(b)
	}
	return append(b, "]}"...)
}

func (p wireProvider) appendJSON(b []byte) []byte {
	text := func(name, value string) { b = jsonwriter.String(append(b, name...), value) }
	number := func(name string, value int) { b = strconv.AppendInt(append(b, name...), int64(value), 10) }
	text(`{"id":`, p.ID)
	text(`,"countryCode":`, p.CountryCode)
	text(`,"name":`, p.Name)
	text(`,"logo":`, p.Logo)
	text(`,"status":`, p.Status)
	b = append(b, `,"supportedAccountTypes":[`...)
	for i, t := range p.SupportedAccountTypes {
		if i > 0 {
			b = append(b, ',')
		}
		text("", t)
	}
	text(`],"timezone":`, p.Timezone)
	number(`,"refreshTimeoutMinutes":`, p.RefreshTimeoutMinutes)
	number(`,"maxConsentDays":`, p.MaxConsentDays)
	b = strconv.AppendBool(append(b, `,"regulated":`...), p.Regulated)
	number(`,"maxFetchInterval":`, p.MaxFetchInterval)
	if p.AutomaticFetch != nil {
		b = strconv.AppendBool(append(b, `,"automaticFetch":`...), *p.AutomaticFetch)
	}
	b = append(b, `,"meta":{`...)
	for i, name := range slices.Sorted(maps.Keys(p.Meta)) {
		if i > 0 {
			b = append(b, ',')
		}
		text("", name)
		text(":", p.Meta[name])
	}
	return append(b, "}}"...)
}
