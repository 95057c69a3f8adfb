package ses

import (
	"encoding/json"
	"net/http"
	"net/mail"
	"regexp"
	"strings"

	"aviso/localstack/template"
)

// refusal is an error as SES returns it.
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

// tagText matches names and values of tags, as the SES API's MessageTag defines them.
var tagText = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// check rejects what SES rejects, and sets the mail's identity and configuration set.
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
		return &refusal{http.StatusBadRequest, "MessageRejected", "Email address is not verified. " +
			"The following identities failed the check in region " +
			strings.ToUpper(template.Region) + ": " + m.from.Address}
	}
	m.identity = identity.Name
	for _, tag := range m.Tags {
		if !tagText.MatchString(tag.Name) || !tagText.MatchString(tag.Value) {
			return badRequest("A message tag must be 1 to 256 letters, digits, underscores and hyphens")
		}
	}
	if m.ConfigurationSet == "" {
		m.ConfigurationSet = identity.ConfigurationSet
	}
	if m.ConfigurationSet == "" {
		return nil
	}
	for _, set := range s.ConfigurationSets {
		if set.Name == m.ConfigurationSet {
			m.eventTypes = set.Events
			return nil
		}
	}
	message := "Configuration set <" + m.ConfigurationSet + "> does not exist."
	return &refusal{http.StatusNotFound, "NotFoundException", message}
}

// identityOf returns the identity that may send as address. Without any identities,
// every address may.
func (s *Server) identityOf(address string) (template.EmailIdentity, bool) {
	if len(s.Identities) == 0 {
		return template.EmailIdentity{Name: address}, true
	}
	return template.IdentityOf(s.Identities, address)
}
