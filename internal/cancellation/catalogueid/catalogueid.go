// Package catalogueid derives the IDs of the cancellation catalogue. It is apart from the
// catalogue so that a function which only needs an ID does not link letters and deadlines.
package catalogueid

import "github.com/google/uuid"

// OrganizationURL returns the URL from which an organization's ID is derived.
func OrganizationURL(slug string) string { return "https://aviso.example/organizations/" + slug }

// Organization returns the ID of the organization with this slug.
func Organization(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(OrganizationURL(slug))).String()
}
