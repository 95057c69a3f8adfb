package bankcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/xs2a"
)

// object is a JSON object of the bank.
type object map[string]json.RawMessage

// parse returns the object in a body; nil if there is none.
func parse(body []byte) object {
	var o object
	if json.Unmarshal(bytes.TrimPrefix(body, []byte(mark)), &o) != nil {
		return nil
	}
	return o
}

// mark is the byte order mark.
const mark = "\ufeff"

// text returns a member that is a text, or "".
func (o object) text(name string) string {
	var s string
	if json.Unmarshal(o[name], &s) != nil {
		return ""
	}
	return s
}

// has reports whether a member is there and says something.
func (o object) has(name string) bool {
	value := string(o[name])
	return value != "" && value != `""` && value != "null" && value != "[]" && value != "{}"
}

// inner returns a member that is an object.
func (o object) inner(name string) object { return parse(o[name]) }

// list returns the objects of a member that is a list.
func (o object) list(name string) (all []object) {
	var raw []json.RawMessage
	if json.Unmarshal(o[name], &raw) != nil {
		return nil
	}
	for _, item := range raw {
		if inner := parse(item); inner != nil {
			all = append(all, inner)
		}
	}
	return all
}

// href returns the address of a link.
func (o object) href(name string) string {
	links := o.inner("_links")
	if address := links.inner(name).text("href"); address != "" {
		return address
	}
	return links.text(name)
}

func isOK(e xs2a.Exchange) bool { return e.Status >= 200 && e.Status < 300 }

// isOAuth reports whether the call went to an authorization server, for which the standard
// of banks does not count.
func isOAuth(e xs2a.Exchange) bool {
	return strings.Contains(e.Operation, "token") || strings.Contains(e.Operation, "metadata")
}

// of returns the exchanges of an operation.
func (c *Checker) of(operation string) (some []xs2a.Exchange) {
	for _, e := range c.seen {
		if e.Operation == operation {
			some = append(some, e)
		}
	}
	return some
}

// allowedSkew is how far a clock may be off, with the seconds that a call takes.
const allowedSkew = time.Minute

// checkAnswers looks at what all answers have in common.
func (c *Checker) checkAnswers(r *Report) {
	for _, e := range c.seen {
		if e.Header == nil {
			continue
		}
		media, _, _ := strings.Cut(e.Header.Get("Content-Type"), ";")
		if isOK(e) && len(e.Body) > 0 && media != "application/json" && !strings.HasSuffix(media, "+json") &&
			parse(e.Body) != nil {
			r.add(mediaType, e.Operation+": JSON is sent as "+orWord(word(media), "no type"), nil)
		}
		if bytes.HasPrefix(e.Body, []byte(mark)) {
			r.add(byteOrderMark, e.Operation+": the JSON begins with a byte order mark", nil)
		}
		if isOK(e) && !isOAuth(e) && e.Header.Get("X-Request-Id") == "" {
			r.add(requestIDMissing, e.Operation+": the answer has no X-Request-ID", nil)
		}
		at, err := http.ParseTime(e.Header.Get("Date"))
		if skew := at.Sub(c.now()).Abs(); err == nil && skew > allowedSkew+e.Duration {
			r.add(bankClock, fmt.Sprintf("%s: the bank's clock is off by %s", e.Operation, skew.Round(time.Second)), nil)
		}
		c.checkRefusal(r, e)
	}
}

func (c *Checker) checkRefusal(r *Report, e xs2a.Exchange) {
	if e.Status < http.StatusBadRequest || e.Status >= http.StatusInternalServerError {
		return
	}
	if !isOAuth(e) && !bytes.Contains(e.Body, []byte(`"code"`)) {
		r.add(refusalNoCode, fmt.Sprintf("%s: refused with %d and no code", e.Operation, e.Status), nil)
	}
	wanted := slices.Clone(c.Provider.Profile.Headers)
	for _, name := range regexp.MustCompile(`(?i)PSU-[a-z-]+`).FindAllString(string(e.Body), -1) {
		i := slices.IndexFunc(headers(), func(known string) bool { return strings.EqualFold(known, name) })
		if i >= 0 && !slices.Contains(wanted, headers()[i]) {
			wanted = append(wanted, headers()[i])
		}
	}
	if len(wanted) > len(c.Provider.Profile.Headers) {
		r.add(headersWanted, fmt.Sprintf("%s: a refusal with %d names %s", e.Operation, e.Status, strings.Join(wanted, ", ")),
			map[string]any{"profile.headers": wanted})
	}
	if e.Status == http.StatusTooManyRequests {
		after := "without Retry-After"
		if e.Header.Get("Retry-After") != "" {
			after = "with Retry-After"
		}
		r.fact(fmt.Sprintf("Rate limit: %s was refused with 429, %s.", e.Operation, after))
	}
}

func headers() []string {
	return []string{
		"PSU-Accept", "PSU-Accept-Charset", "PSU-Accept-Encoding", "PSU-Accept-Language", "PSU-Device-ID",
		"PSU-Geo-Location", "PSU-Http-Method", "PSU-IP-Port", "PSU-User-Agent",
	}
}

// checkConsent looks at the calls about the consent.
func (c *Checker) checkConsent(r *Report) {
	requests := c.of("request consent")
	if n := len(requests); n == 2 && isOK(requests[1]) {
		r.add(allAccountsForm, fmt.Sprintf("a consent that lets the user choose is refused with %d", requests[0].Status), nil)
	}
	for _, e := range append(requests, c.of("start authorisation")...) {
		answer := parse(e.Body)
		if !isOK(e) || answer == nil {
			continue
		}
		r.fact(approach(answer))
		if announced := e.Header.Get("ASPSP-SCA-Approach"); announced != "" {
			r.fact("The bank announces the approach " + word(announced) + ".")
		}
		if approach(answer) == "" && len(answer.inner("_links")) == 0 {
			r.add(noSCAApproach, e.Operation+": the answer has no link", nil)
		}
	}
	if len(c.of("read authorization server's metadata")) > 0 && len(requests) == 0 {
		r.fact("SCA approach: OAuth2, with a token before the consent.")
	}
	for _, e := range c.of("read consent") {
		consent := parse(e.Body)
		if !isOK(e) || consent.text("consentStatus") != string(pfm.ConsentValid) {
			continue
		}
		wanted, until := c.request().ValidUntil, pfm.Date(consent.text("validUntil"))
		if until != "" && until < wanted {
			days := int(until.Time().Sub(pfm.DateOf(c.now()).Time()).Hours() / 24)
			r.add(consentShorter, fmt.Sprintf("%d days are requested, %d are granted", c.Provider.ConsentDays(), days),
				map[string]any{"maxConsentDays": days})
		}
		var perDay int
		if json.Unmarshal(consent["frequencyPerDay"], &perDay) == nil && perDay < 4 {
			r.add(readsPerDay, fmt.Sprintf("%d reads a day are granted without the user", perDay), nil)
		}
	}
}

// approach says how the user authorises, by the link that leads on.
func approach(answer object) string {
	for _, way := range []struct{ link, name string }{
		{"scaRedirect", "Redirect"},
		{"scaOAuth", "OAuth2"},
		{"startAuthorisation", "started by a call of its own"},
		{"startAuthorisationWithPsuIdentification", "the user gives an ID at the bank first"},
		{"updatePsuIdentification", "the user gives an ID at the bank first"},
		{"scaStatus", "Decoupled"},
	} {
		if answer.href(way.link) != "" {
			return "SCA approach: " + way.name + " (" + way.link + ")."
		}
	}
	return ""
}

// word returns a bank's word for a type if it is one, and else its shape.
func word(s string) string {
	if len(s) > 40 || strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(wordRunes, r) }) >= 0 {
		return "…"
	}
	return s
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/-+._"

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// shape returns how a text is written: every digit as 9, every letter as a.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case strings.ContainsRune("TZ:-./+ ", r):
			return r
		default:
			return 'a'
		}
	}, s[:min(len(s), 30)])
}
