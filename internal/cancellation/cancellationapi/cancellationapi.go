// Package cancellationapi is the HTTP side of the cancellation area.
package cancellationapi

import (
	"aviso/internal/api"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/thread"
	"aviso/internal/cancellation/request"
)

// Services are the services that the operations call, except search.
type Services struct {
	Catalogue  *catalogue.Catalogue
	Deadlines  *catalogue.Deadlines
	Requests   *request.Requests
	Evidence   *evidence.Bundles
	Objections *objection.Objections
	Replies    *reply.Replies
	Answers    *thread.Answers
}

// prefix is the path prefix of the area's operations.
const prefix = "/cancellations/v1"

// Register adds the area's operations except the search, which runs in a function
// of its own; see RegisterSearch.
func Register(r *api.Router, s Services) {
	registerCatalogue(r, s.Catalogue)
	registerProducts(r, s.Catalogue)
	registerDeadlines(r, s.Deadlines)
	registerCancellations(r, s.Requests)
	registerObjections(r, s.Objections)
	registerEvidence(r, s.Evidence)
	registerReplies(r, s.Replies, s.Answers)
	one := prefix + "/cancellations/{id}"
	r.ServeExport("getCancellationArchive", prefix+"/export", func(in *api.Router) {
		registerCancellations(in, s.Requests)
		registerObjections(in, s.Objections)
		registerReplies(in, s.Replies, s.Answers)
	}, api.Exported{
		Path: prefix + "/cancellations", File: "cancellations.jsonl", ID: "cancellationId", Each: []api.Exported{
			{Path: one + "/letter", File: "letters/{id}.pdf"}, {Path: one + "/objections", File: "objections.jsonl"},
			{Path: one + "/replies", File: "replies.jsonl"},
		},
	})
}
