package xs2a

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// errEmbedded says that the bank requires us to ask the user for the bank password. We never do: it would teach users
// to type it into other sites.
var errEmbedded = errors.New("bank offers no redirect, no OAuth 2.0 and no decoupled authorisation")

// maxSteps is how often a bank may answer with another start of the authorisation.
const maxSteps = 3

// attempt is a consent in authorisation, with the user's last answer.
type attempt struct {
	bank    pfm.BankEndpoint
	req     pfm.ConsentRequest
	session pfm.Session
	answer  pfm.UserAnswer
}

// scaAnswer is the bank's response about an authorisation.
type scaAnswer struct {
	ConsentID string          `json:"consentId"`
	Message   bankwire.Text   `json:"psuMessage"`
	Links     bankwire.Object `json:"_links"`
	// kind is the link to follow, and to its address. Without a link, to is the address of the scaStatus.
	kind, to string
	// confirmation is the address that gets the code with which the bank sends the user back.
	confirmation string
}

// authorise requests the consent, starts its authorisation, or sends the user's ID to the bank.
func (c *Client) authorise(ctx context.Context, a attempt, r request) (scaAnswer, error) {
	r.bank, r.session = a.bank, a.session
	r.header = withPSUHeaders(map[string]string{
		"PSU-IP-Address": a.req.PSUIPAddress, "PSU-ID": bankwire.Clean(a.answer.PSUID),
		"PSU-User-Agent": bankwire.Clean(a.req.PSUUserAgent), "TPP-Redirect-Preferred": "true",
		"TPP-Redirect-URI": a.req.RedirectURL, "TPP-Nok-Redirect-URI": a.req.RefusedURL,
		"TPP-Brand-Logging-Information": a.req.Brand,
	}, a.req.PSUHeaders)
	if r.op == requestConsent {
		r.header["TPP-Explicit-Authorisation-Preferred"] = "false"
	}
	var answer scaAnswer
	err := c.do(ctx, r, &answer, func(from *url.URL) error {
		err := answer.lead(a.bank, from)
		switch {
		case err != nil:
			return err
		case !c.supports(answer):
			return &pfm.SupplierError{Kind: pfm.SupplierRejected, Err: errEmbedded}
		case r.op == requestConsent && !isIdentifier(answer.ConsentID):
			return errBadIdentifier
		}
		return nil
	})
	return answer, err
}

// lead finds our preferred link in the response from the URL `from`. If there is none, the user confirms in the
// bank's app.
func (a *scaAnswer) lead(bank pfm.BankEndpoint, from *url.URL) error {
	for _, kind := range []string{
		"scaRedirect", "scaOAuth", "startAuthorisation", "startAuthorisationWithPsuIdentification",
		"updatePsuIdentification",
	} {
		_, ok := a.Links[kind]
		if ok && (kind != "scaRedirect" || href(a.Links, kind) != "" || href(a.Links, "startAuthorisation") == "") {
			a.kind = kind
			break
		}
	}
	address, find := href(a.Links, cmp.Or(a.kind, "scaStatus")), follow
	if a.kind == "" && address == "" {
		return nil
	}
	if a.kind == "scaRedirect" || a.kind == "scaOAuth" { // these may lead to any host
		find = resolve
	}
	to, err := find(bank, from, address)
	if err != nil {
		return err
	}
	a.to = to.String()
	if confirmation, err := follow(bank, from, href(a.Links, "confirmation")); err == nil {
		a.confirmation = confirmation.String()
	}
	return nil
}

// supports reports whether we can continue after the response. Everything except a redirect requires sealed data.
func (c *Client) supports(a scaAnswer) bool {
	switch a.kind {
	case "scaRedirect", "startAuthorisation":
		return true
	case "":
		for kind := range a.Links { // startAuthorisationWithPsuAuthentication, updatePsuAuthentication, …
			switch kind {
			case "self", "status", "scaStatus", "account":
			default:
				return false
			}
		}
		return c.sealer != nil && (a.to != "" || a.Message != "")
	default:
		return c.sealer != nil
	}
}

// RequestConsent implements pfm.Supplier.
func (c *Client) RequestConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	a := attempt{bank: bank, req: req, session: pfm.Session{ConnectionID: req.ConnectionID}}
	if bank.SCA.TokenFirst {
		return c.toAuthorizationServer(ctx, a, scaAnswer{})
	}
	return c.newConsent(ctx, a)
}

// newConsent requests a consent. If the bank needs answers with the request, it asks the user first.
func (c *Client) newConsent(ctx context.Context, a attempt) (pfm.ConsentProgress, error) {
	sca := a.bank.SCA
	ask := pfm.ConsentProgress{Session: a.session, Next: pfm.Step{
		Kind: pfm.StepAsk, AsksPSUID: sca.AsksPSUID, AsksIBANs: sca.AsksIBANs,
	}}
	if sca.AsksPSUID && a.answer.PSUID == "" || sca.AsksIBANs && len(a.answer.IBANs) == 0 {
		return ask, nil
	}
	created, err := c.requestAccess(ctx, a)
	if err == nil {
		a.session.ConsentID = created.ConsentID
		var progress pfm.ConsentProgress
		if progress, err = c.follow(ctx, a, created); err == nil {
			return progress, nil
		}
	}
	if isIdentifier(created.ConsentID) { // best effort: nobody will use this consent
		orphan := a.session
		orphan.ConsentID = created.ConsentID
		_ = c.deleteConsent(context.WithoutCancel(ctx), a.bank, orphan)
	}
	switch {
	case isUserUnknown(err), sca.AsksIBANs && (refusesForm(err) || refusesCompletion(err)):
		ask.Next.AsksPSUID = sca.AsksPSUID || !sca.AsksIBANs
		ask.Next.Refused = a.answer.PSUID != "" || len(a.answer.IBANs) > 0
		return ask, nil
	default:
		return pfm.ConsentProgress{}, err
	}
}

func isUserUnknown(err error) bool { return pfm.FailureOf(err).BankCode == "PSU_CREDENTIALS_INVALID" }

// follow follows the bank's response until the user must act.
func (c *Client) follow(ctx context.Context, a attempt, answer scaAnswer) (pfm.ConsentProgress, error) {
	for range maxSteps {
		method := http.MethodPost
		switch answer.kind {
		case "scaRedirect":
			next := pfm.Step{Kind: pfm.StepRedirect, URL: answer.to}
			if answer.confirmation == "" || c.sealer == nil {
				return pfm.ConsentProgress{Session: a.session, Next: next}, nil
			}
			return c.pause(a, next, func(m *memory) { m.Confirmation = answer.confirmation })
		case "scaOAuth":
			return c.toAuthorizationServer(ctx, a, answer)
		case "":
			message := string(answer.Message)
			return c.pause(a, pfm.Step{Kind: pfm.StepWait, Message: message}, func(m *memory) {
				m.Identify, m.Method, m.Message, m.Status = "", "", message, cmp.Or(answer.to, m.Status)
			})
		case "updatePsuIdentification":
			method = http.MethodPut
		}
		isAnonymous := answer.kind != "startAuthorisation" && a.answer.PSUID == ""
		var next scaAnswer
		var err error
		if !isAnonymous {
			r := request{op: startAuthorisation, method: method, link: answer.to, body: struct{}{}}
			next, err = c.authorise(ctx, a, r)
		}
		if isAnonymous || isUserUnknown(err) && c.sealer != nil {
			ask := pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true, Refused: a.answer.PSUID != ""}
			return c.pause(a, ask, func(m *memory) { m.Identify, m.Method = answer.to, method })
		}
		if err != nil {
			return pfm.ConsentProgress{}, err
		}
		answer = next
	}
	failure := bankwire.Failure(startAuthorisation, pfm.SupplierInvalidResponse, bankwire.ErrMalformed)
	return pfm.ConsentProgress{}, failure
}

// pause stores the data for continuing after the user's next step.
func (c *Client) pause(a attempt, next pfm.Step, change func(*memory)) (pfm.ConsentProgress, error) {
	s, err := c.remember(a.bank, a.session, change)
	return pfm.ConsentProgress{Session: s, Next: next}, err
}

// ContinueConsent implements pfm.Supplier.
func (c *Client) ContinueConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, answer pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	m, err := c.recall(bank, s)
	if err != nil {
		return pfm.ConsentProgress{}, bankwire.Failure(startAuthorisation, pfm.SupplierRejected, err)
	}
	a := attempt{bank, req, s, answer}
	switch {
	case m.Verifier != "":
		return c.fromAuthorizationServer(ctx, a, m)
	case s.ConsentID == "":
		return c.newConsent(ctx, a)
	case answer.Callback == nil && m.Identify != "":
		kind := "startAuthorisationWithPsuIdentification"
		if m.Method == http.MethodPut {
			kind = "updatePsuIdentification"
		}
		return c.follow(ctx, a, scaAnswer{kind: kind, to: m.Identify})
	case answer.Callback == nil && (m.Status != "" || m.Message != "" || m.Access != ""):
		return c.poll(ctx, a, m)
	case answer.Callback.Get("confirmationCode") != "":
		c.confirm(ctx, bank, s, m, map[string]string{"confirmationCode": answer.Callback.Get("confirmationCode")})
	}
	consent, err := c.Consent(ctx, bank, s)
	return pfm.ConsentProgress{Session: s, Consent: consent}, err
}

// confirm sends the bank the code with which it sent the user back or, without one, the session's token, if the bank has
// linked where. The consent's state shows whether the bank has accepted it, perhaps an earlier time.
func (c *Client) confirm(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, m memory, code map[string]string) {
	if m.Confirmation != "" {
		_ = c.do(ctx, request{
			bank: bank, op: confirmAuthorisation, method: http.MethodPut, link: m.Confirmation, session: s, body: code,
		}, nil, nil)
	}
}

// poll checks whether the user has confirmed. After that, the bank may need a moment to make the consent valid.
func (c *Client) poll(ctx context.Context, a attempt, m memory) (pfm.ConsentProgress, error) {
	waiting := pfm.ConsentProgress{Session: a.session, Next: pfm.Step{Kind: pfm.StepWait, Message: m.Message}}
	var sca struct {
		Status string `json:"scaStatus"`
	}
	if m.Status != "" {
		r := request{bank: a.bank, op: readSCAStatus, link: m.Status, session: a.session}
		if err := c.do(ctx, r, &sca, nil); err != nil {
			return pfm.ConsentProgress{}, err
		}
		if !slices.Contains([]string{"failed", "finalised", "exempted"}, sca.Status) {
			return waiting, nil
		}
	}
	consent, err := c.Consent(ctx, a.bank, a.session)
	switch {
	case err != nil:
		return pfm.ConsentProgress{}, err
	case consent.State != pfm.ConsentReceived && consent.State != pfm.ConsentPartiallyAuthorised:
		return pfm.ConsentProgress{Session: a.session, Consent: consent}, nil
	case sca.Status == "failed":
		return pfm.ConsentProgress{Session: a.session}, nil
	default:
		waiting.Next.OtherMustSign = consent.State == pfm.ConsentPartiallyAuthorised
		return waiting, nil
	}
}
