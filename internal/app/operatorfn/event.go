package operatorfn

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/internal/pfm/bankcheck"
)

// event has the members of all commands. Each command takes only its own; see commands.
type event struct {
	// ID is a partner's ID.
	ID          owner.PartnerID `json:"id"`
	Name        string          `json:"name"`
	DisplayName string          `json:"displayName"`
	Scopes      []string        `json:"scopes"`
	ReturnURLs  []string        `json:"returnUrls"`
	AlertEmail  string          `json:"alertEmail"`
	HistoryDays int             `json:"historyDays"`
	// GraceHours is how long the previous client secret stays valid.
	GraceHours int `json:"graceHours"`

	TermsType identity.TermsType `json:"termsType"`
	Version   string             `json:"version"`
	URL       string             `json:"url"`
	Register  string             `json:"register"`
	// EffectiveFrom is the time from which users must have accepted the version. Zero means at once.
	EffectiveFrom time.Time `json:"effectiveFrom"`

	// File is a file of JSON Lines, plain or compressed with gzip. It is base64 in the event.
	File []byte `json:"file"`
	// DryRun reports what would change and writes nothing.
	DryRun bool `json:"dryRun"`
	// RetireMissing makes providers that are not in the file Inactive.
	RetireMissing bool `json:"retireMissing"`
	// Secret is the name of the secret with our application's ID and key at the aggregator; empty for defaultSecret.
	// BaseURL is the address of a sandbox's aggregator; empty for the real one.
	Secret  string `json:"secret"`
	BaseURL string `json:"baseUrl"`

	ProviderID string `json:"providerId"`
	// RedirectURL is the address to which the bank sends the operator back. Callback is the query that the bank adds.
	RedirectURL  string `json:"redirectUrl"`
	Callback     string `json:"callback"`
	PSUIPAddress string `json:"psuIpAddress"`
	// State is the state in the previous answer. With only consentId, it reuses a consent.
	State bankcheck.State `json:"state"`
	PSUID string          `json:"psuId"`
	IBANs []string        `json:"ibans"`
	// Keep does not delete the consent after the check.
	Keep bool `json:"keep"`

	CancellationID string                    `json:"cancellationId"`
	Reason         cancellation.StatusReason `json:"reason"`

	// Partner is part of the key of a subscription.
	Partner        owner.PartnerID `json:"partner"`
	SubscriptionID string          `json:"subscriptionId"`
	EventID        string          `json:"eventId"`
	DeliveryID     string          `json:"deliveryId"`

	Queue string `json:"queue"`
	Limit int    `json:"limit"`
}

const (
	defaultGraceHours = 24
	defaultRedrive    = 1000
)

// takes reports whether the command's event may have a member.
func (c command) takes(member string) bool { return strings.Contains(c.members, strconv.Quote(member)) }

// decode decodes an event and rejects members that the command does not take. It checks their case, which
// encoding/json ignores, and their types.
func (c command) decode(name string, text json.RawMessage) (e event, err error) {
	e = event{GraceHours: defaultGraceHours, Limit: defaultRedrive}
	var sent map[string]json.RawMessage
	err = errors.Join(json.Unmarshal(text, &sent), json.Unmarshal(text, &e))
	for member := range sent {
		if err != nil || member != "command" && !c.takes(member) {
			return event{}, apierror.New(apierror.MalformedRequest, name+" accepts only "+c.members+".")
		}
	}
	return e, nil
}

// check rejects events without a required file, and values that cannot be part of a key. An event names its delivery
// by one of two IDs.
func (c command) check(e event) error {
	const maxPartner = 64
	if c.takes("file") && len(e.File) == 0 {
		return apierror.New(apierror.ValidationFailed, "file is required: the content of the file in base64.")
	}
	if c.takes("partner") && (e.Partner == "" || len(e.Partner) > maxPartner) {
		return apierror.New(apierror.ValidationFailed, "partner must be the ID of the subscription's partner.")
	}
	for _, id := range []struct {
		member, value string
		isOptional    bool
	}{
		{"providerId", e.ProviderID, false},
		{"cancellationId", e.CancellationID, false},
		{"subscriptionId", e.SubscriptionID, false},
		{"eventId", e.EventID, true},
		{"deliveryId", e.DeliveryID, true},
	} {
		if !c.takes(id.member) || id.isOptional && id.value == "" {
			continue
		}
		if parsed, err := uuid.Parse(id.value); err != nil || parsed.String() != id.value {
			return apierror.WithFields(apierror.ValidationFailed, "An ID is not valid.",
				apierror.Field{Pointer: "/" + id.member, Code: "invalid", Detail: "Must be a UUID in lower case."})
		}
	}
	return nil
}

// about returns the attributes to log: the objects of the command, but never a secret.
func (c command) about(e event) (attrs []slog.Attr) {
	for _, one := range []struct {
		member, name string
		value        any
	}{
		{"id", "partner", e.ID},
		{"termsType", "termsType", e.TermsType},
		{"register", "register", e.Register},
		{"version", "version", e.Version},
		{"dryRun", "dryRun", e.DryRun},
		{"retireMissing", "retireMissing", e.RetireMissing},
		{"baseUrl", "baseUrl", e.BaseURL},
		{"providerId", "provider", e.ProviderID},
		{"cancellationId", "cancellation", e.CancellationID},
		{"reason", "reason", e.Reason},
		{"partner", "partner", e.Partner},
		{"subscriptionId", "subscription", e.SubscriptionID},
		{"eventId", "event", e.EventID},
		{"deliveryId", "delivery", e.DeliveryID},
		{"queue", "queue", e.Queue},
	} {
		if c.takes(one.member) {
			attrs = append(attrs, slog.Any(one.name, one.value))
		}
	}
	return attrs
}
