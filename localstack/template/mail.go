package template

import (
	"slices"
	"strings"
)

// eventTypes are what SES can tell of, as its API spells them. CloudFormation
// takes them in this form and in lower camel case.
var eventTypes = []string{
	"SEND", "REJECT", "BOUNCE", "COMPLAINT", "DELIVERY", "OPEN", "CLICK",
	"RENDERING_FAILURE", "DELIVERY_DELAY", "SUBSCRIPTION",
}

// mailResources name configuration sets, so they are read after them.
type mailResources struct {
	destinations []item
	identities   []entry
}

func (s *scope) configurationSet(id string, properties item) ConfigurationSet {
	o := properties.object("Name",
		// Of no consequence for an emulator.
		"ArchivingOptions", "DeliveryOptions", "ReputationOptions", "SuppressionOptions", "Tags",
		"TrackingOptions", "VdmOptions")
	return ConfigurationSet{ID: id, Name: o.text("Name", id)}
}

func (s *scope) mail(t *Template, m mailResources) {
	for _, d := range m.destinations {
		s.eventDestination(t, d)
	}
	for _, i := range m.identities {
		o := i.item.object("EmailIdentity", "ConfigurationSetAttributes",
			"DkimAttributes", "DkimSigningAttributes", "FeedbackAttributes", "MailFromAttributes", "Tags")
		identity := EmailIdentity{ID: i.key, Name: o.want("EmailIdentity")}
		if o.has("ConfigurationSetAttributes") {
			if set := s.namedSet(t, o.get("ConfigurationSetAttributes").object("ConfigurationSetName")); set != nil {
				identity.ConfigurationSet = set.Name
			}
		}
		t.EmailIdentities = append(t.EmailIdentities, identity)
	}
}

func (s *scope) eventDestination(t *Template, properties item) {
	o := properties.object("ConfigurationSetName", "EventDestination")
	set := s.namedSet(t, o)
	d := o.get("EventDestination").object("Name", "Enabled", "MatchingEventTypes", "EventBridgeDestination",
		// Metrics, which nobody reads here.
		"CloudWatchDestination")
	if !d.bool("Enabled", false) || !d.has("EventBridgeDestination") {
		return
	}
	bus := d.get("EventBridgeDestination").object("EventBusArn")
	if arn := bus.want("EventBusArn"); !strings.HasSuffix(arn, ":event-bus/default") {
		s.fault(bus.where(), "EventBusArn %s: SES has the default bus only", arn)
	}
	for _, name := range d.get("MatchingEventTypes").texts() {
		i := slices.IndexFunc(eventTypes, func(kind string) bool {
			return strings.EqualFold(kind, name) || strings.EqualFold(strings.ReplaceAll(kind, "_", ""), name)
		})
		if i < 0 {
			s.fault(d.get("MatchingEventTypes").where(), "MatchingEventTypes: %s is unknown", name)
		} else if set != nil && !slices.Contains(set.Events, eventTypes[i]) {
			set.Events = append(set.Events, eventTypes[i])
		}
	}
}

// namedSet finds the configuration set in the member ConfigurationSetName, which
// is a reference or a name.
func (s *scope) namedSet(t *Template, o object) *ConfigurationSet {
	name := o.get("ConfigurationSetName").value()
	id, attribute, isReference := name.resource()
	text, _ := name.fixed()
	i := slices.IndexFunc(t.ConfigurationSets, func(set ConfigurationSet) bool {
		return isReference && attribute == "" && set.ID == id || !isReference && set.Name == text
	})
	if i < 0 {
		s.fault(o.where(), "ConfigurationSetName: want a configuration set of this template")
		return nil
	}
	return &t.ConfigurationSets[i]
}
