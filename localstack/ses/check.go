package ses

import (
	"encoding/json"
	"net/http"
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"aviso/localstack/template"
)

// refusal is an error in SES's words.
type refusal struct {
	status        int
	code, message string
}

func badRequest(message string) *refusal {
	return &refusal{http.StatusBadRequest, "BadRequestException", message}
}

func refuse(w http.ResponseWriter, r *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", r.code)
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": r.message})
}

// tagText is what names and values of tags consist of, after the SES API's
// MessageTag.
var tagText = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// check refuses what SES refuses, and finds the mail's identity and configuration
// set.
func (s *Server) check(m *Mail) *refusal {
	var err error
	if m.from, err = mail.ParseAddress(m.From); err != nil {
		return badRequest("Illegal sender address")
	}
	if len(m.recipients) == 0 {
		return badRequest("Missing destination")
	}
	identity, ok := s.identityOf(m.from.Address)
	if !ok {
		return &refusal{http.StatusBadRequest, "MessageRejected", "Email address is not verified. The following identities failed the check in region " +
			strings.ToUpper(template.Region) + ": " + m.from.Address}
	}
	m.identity = identity.Name
	for _, tag := range m.Tags {
		if !tagText.MatchString(tag.Name) || !tagText.MatchString(tag.Value) {
			return badRequest("A message tag may only have letters, digits, underscores and hyphens, 256 at most")
		}
	}
	if m.ConfigurationSet == "" {
		m.ConfigurationSet = identity.ConfigurationSet
	}
	if m.ConfigurationSet == "" {
		return nil
	}
	i := slices.IndexFunc(s.ConfigurationSets, func(set template.ConfigurationSet) bool { return set.Name == m.ConfigurationSet })
	if i < 0 {
		return &refusal{http.StatusNotFound, "NotFoundException", "Configuration set <" + m.ConfigurationSet + "> does not exist."}
	}
	m.set = configurationSet(s.ConfigurationSets[i])
	return nil
}

// identityOf is the identity that may send as address: the address itself, its
// domain, or a domain above that.
func (s *Server) identityOf(address string) (template.EmailIdentity, bool) {
	if len(s.Identities) == 0 {
		return template.EmailIdentity{Name: address}, true
	}
	for _, identity := range s.Identities {
		if identity.Name == address {
			return identity, true
		}
	}
	domain := address[strings.LastIndex(address, "@")+1:]
	for ; domain != ""; _, domain, _ = strings.Cut(domain, ".") {
		for _, identity := range s.Identities {
			if strings.EqualFold(identity.Name, domain) {
				return identity, true
			}
		}
	}
	return template.EmailIdentity{}, false
}

// configurationSet is that of a mail; the zero one tells of nothing.
type configurationSet template.ConfigurationSet

func (c configurationSet) tellsOf(k kind) bool { return slices.Contains(c.Events, string(k)) }
