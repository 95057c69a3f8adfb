package xs2a

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// errEmbedded says that we would have to ask the user for the password at the bank. We
// never do: whoever gets used to that types it into other pages, too.
var errEmbedded = errors.New("bank offers no redirect, no OAuth 2.0 and no decoupled authorisation")

// maxSteps bounds how often a bank may answer with another start of the authorisation.
const maxSteps = 3

// scaAnswer is an answer of the bank about an authorisation.
type scaAnswer struct {
	consentID, message string
	// kind is the link that leads on, and to its address. Without one, to is that of the scaStatus.
	kind, to string
}

// ways are the links that lead on, in the order in which we prefer them. Without any, the
// user confirms in the bank's app.
func ways() []string {
	return []string{
		"scaRedirect", "scaOAuth", "startAuthorisation", "startAuthorisationWithPsuIdentification", "updatePsuIdentification",
	}
}

// readSCA reads the answer to a call to the URL `from`.
func (c *Client) readSCA(bank pfm.BankEndpoint, from *url.URL, body []byte) (scaAnswer, error) {
	var w struct {
		ConsentID  string `json:"consentId"`
		PSUMessage text   `json:"psuMessage"`
		Links      links  `json:"_links"`
	}
	if err := bankwire.Unmarshal(body, &w); err != nil {
		return scaAnswer{}, err
	}
	answer := scaAnswer{consentID: w.ConsentID, message: string(w.PSUMessage)}
	for _, kind := range ways() {
		link, ok := w.Links[kind]
		if ok && (link.Href != "" || kind != "scaRedirect" || w.Links["startAuthorisation"].Href == "") {
			answer.kind = kind
			break
		}
	}
	lead, href := follow, w.Links[cmp.Or(answer.kind, "scaStatus")].Href
	if answer.kind == "scaRedirect" || answer.kind == "scaOAuth" { // these may be on any host
		lead = resolve
	}
	if answer.kind != "" || href != "" {
		to, err := lead(bank, from, href)
		if err != nil {
			return answer, err
		}
		answer.to = to.String()
	}
	if !c.supports(answer, w.Links) {
		return answer, errEmbedded
	}
	return answer, nil
}

// supports reports whether we can go on after the answer. Apart from a redirect, we have to
// keep something for later.
func (c *Client) supports(a scaAnswer, l links) bool {
	switch a.kind {
	case "scaRedirect", "startAuthorisation":
		return true
	case "":
		for kind := range l { // startAuthorisationWithPsuAuthentication, updatePsuAuthentication, …
			switch kind {
			case "self", "status", "scaStatus", "account":
			default:
				return false
			}
		}
		return c.sealer != nil && (a.to != "" || a.message != "")
	default:
		return c.sealer != nil
	}
}

// RequestConsent implements pfm.Supplier.
func (c *Client) RequestConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	s := pfm.Session{ConnectionID: req.ConnectionID}
	if bank.SCA.TokenFirst {
		return c.toAuthorizationServer(ctx, bank, req, s, "")
	}
	return c.newConsent(ctx, bank, req, s, pfm.UserAnswer{})
}

// newConsent requests a consent, or asks the user first what the bank wants with the
// request.
func (c *Client) newConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	ask := pfm.ConsentProgress{Session: s, Next: pfm.Step{
		Kind: pfm.StepAsk, AsksPSUID: bank.SCA.AsksPSUID, AsksIBANs: bank.SCA.AsksIBANs,
	}}
	if bank.SCA.AsksPSUID && a.PSUID == "" || bank.SCA.AsksIBANs && len(a.IBANs) == 0 {
		return ask, nil
	}
	created, err := c.requestAccess(ctx, bank, req, s, a)
	switch {
	case isRefusedAnswer(err, bank.SCA.AsksIBANs):
		ask.Next.AsksPSUID = ask.Next.AsksPSUID || !bank.SCA.AsksIBANs
		ask.Next.Refused = a.PSUID != "" || len(a.IBANs) > 0
		return ask, nil
	case err != nil:
		return pfm.ConsentProgress{}, err
	}
	s.ConsentID = created.consentID
	return c.follow(ctx, bank, req, s, a, created)
}

// isRefusedAnswer reports whether the bank does not know the user, or the accounts that the
// user has named.
func isRefusedAnswer(err error, named bool) bool {
	return pfm.FailureOf(err).BankCode == "PSU_CREDENTIALS_INVALID" || named && (refusesForm(err) || refusesCompletion(err))
}

// follow does what the bank's answer asks for, until the user has something to do.
func (c *Client) follow(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer, answer scaAnswer,
) (pfm.ConsentProgress, error) {
	for range maxSteps {
		method := http.MethodPost
		switch answer.kind {
		case "scaRedirect":
			next := pfm.Step{Kind: pfm.StepRedirect, URL: answer.to}
			return pfm.ConsentProgress{Session: s, Next: next}, nil
		case "scaOAuth":
			return c.toAuthorizationServer(ctx, bank, req, s, answer.to)
		case "":
			return c.wait(s, answer)
		case "updatePsuIdentification":
			method = http.MethodPut
		}
		if answer.kind != "startAuthorisation" && a.PSUID == "" {
			return c.ask(s, answer.to, method, false)
		}
		var err error
		if answer, err = c.authorise(ctx, bank, req, s, a, method, answer.to); err != nil {
			if isRefusedAnswer(err, false) && c.sealer != nil {
				return c.ask(s, answer.to, method, a.PSUID != "")
			}
			return pfm.ConsentProgress{}, err
		}
	}
	return pfm.ConsentProgress{}, bankwire.Failure(startAuthorisation, pfm.SupplierInvalidResponse, 0, bankwire.ErrMalformed)
}

// authorise starts the authorisation, or tells the bank who the user is. After a refusal,
// the answer has the address of the call.
func (c *Client) authorise(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
	method, to string,
) (scaAnswer, error) {
	answer := scaAnswer{to: to}
	err := c.do(ctx, request{
		bank: bank, op: startAuthorisation, method: method, link: to, header: userHeader(req, a), session: s,
		body: struct{}{},
	}, func(at *url.URL, body []byte) error {
		read, err := c.readSCA(bank, at, body)
		if err == nil {
			answer = read
		}
		return err
	})
	return answer, err
}

// ask asks the user for the ID at the bank, which goes to an address.
func (c *Client) ask(s pfm.Session, to, method string, refused bool) (pfm.ConsentProgress, error) {
	s, err := c.remember(s, func(m *memory) { m.Identify, m.Method = to, method })
	next := pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true, Refused: refused}
	return pfm.ConsentProgress{Session: s, Next: next}, err
}

// wait waits for the user to confirm in the bank's app.
func (c *Client) wait(s pfm.Session, answer scaAnswer) (pfm.ConsentProgress, error) {
	s, err := c.remember(s, func(m *memory) {
		m.Identify, m.Method, m.Message = "", "", answer.message
		m.Status = cmp.Or(answer.to, m.Status)
	})
	return pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepWait, Message: answer.message}}, err
}

// ContinueConsent implements pfm.Supplier.
func (c *Client) ContinueConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	m, err := c.recall(s)
	if err != nil {
		return pfm.ConsentProgress{}, bankwire.Failure(startAuthorisation, pfm.SupplierRejected, 0, err)
	}
	switch {
	case m.Verifier != "":
		return c.fromAuthorizationServer(ctx, bank, req, s, m, a)
	case s.ConsentID == "":
		return c.newConsent(ctx, bank, req, s, a)
	case a.Callback == nil && m.Identify != "":
		kind := "startAuthorisationWithPsuIdentification"
		if m.Method == http.MethodPut {
			kind = "updatePsuIdentification"
		}
		return c.follow(ctx, bank, req, s, a, scaAnswer{kind: kind, to: m.Identify})
	case a.Callback == nil && (m.Status != "" || m.Message != "" || m.Access != ""):
		return c.poll(ctx, bank, s, m)
	default:
		consent, err := c.Consent(ctx, bank, s)
		return pfm.ConsentProgress{Session: s, Consent: consent}, err
	}
}

// poll looks whether the user has confirmed. After that, the bank may need a moment to make
// the consent valid.
func (c *Client) poll(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, m memory,
) (pfm.ConsentProgress, error) {
	waiting := pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepWait, Message: m.Message}}
	failed := false
	if m.Status != "" {
		status, err := c.scaStatus(ctx, bank, s, m.Status)
		switch {
		case err != nil:
			return pfm.ConsentProgress{}, err
		case status == "failed":
			failed = true
		case status != "finalised" && status != "exempted":
			return waiting, nil
		}
	}
	consent, err := c.Consent(ctx, bank, s)
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	if consent.State == pfm.ConsentReceived || consent.State == pfm.ConsentPartiallyAuthorised {
		if !failed {
			return waiting, nil
		}
		consent = pfm.Consent{}
	}
	return pfm.ConsentProgress{Session: s, Consent: consent}, nil
}

func (c *Client) scaStatus(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, link string) (string, error) {
	var w struct {
		SCAStatus string `json:"scaStatus"`
	}
	err := c.do(ctx, request{bank: bank, op: readSCAStatus, method: http.MethodGet, link: link, session: s},
		func(_ *url.URL, body []byte) error { return bankwire.Unmarshal(body, &w) })
	return w.SCAStatus, err
}
