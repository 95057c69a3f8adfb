package cancellationapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/thread"
)

type wireReply struct {
	ReplyID        string                `json:"replyId" format:"uuid"`
	ReceivedAt     time.Time             `json:"receivedAt"`
	From           string                `json:"from"`
	Subject        string                `json:"subject"`
	Kind           string                `json:"kind" enum:"Confirmed,Rejected,NeedsInformation,Received,Offer,AutoReply,Unclear"`
	StatusReason   string                `json:"statusReason,omitempty" enum:"UserNotFound,InconsistentData,AlreadyCancelled,BindingPeriod"`
	EndDate        string                `json:"endDate,omitempty" format:"date"`
	LaterDate      string                `json:"laterDate,omitempty" format:"date"`
	NeededFields   []string              `json:"neededFields,omitempty"`
	Excerpt        string                `json:"excerpt"`
	DecidedBy      string                `json:"decidedBy"`
	Attachments    []wireReplyAttachment `json:"attachments" nullable:"false"`
	Authentication string                `json:"authentication,omitempty"`
	Text           string                `json:"text,omitempty"`
	AnsweredAt     time.Time             `json:"answeredAt,omitzero"`
	AnswerStatus   string                `json:"answerStatus,omitempty" enum:"Created,Queued,Sent,Delivered,DeliveryFailed"`
}

type wireReplyAttachment struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Size        int64  `json:"size"`
}

type repliesData struct {
	Replies []wireReply `json:"replies" nullable:"false"`
}

type replyData struct {
	Reply wireReply `json:"reply"`
}

// ReplyPath holds the path parameters of one reply. It is exported because Huma only reads embedded fields of exported
// types.
type ReplyPath struct {
	CancellationPath

	ReplyID string `path:"replyId" format:"uuid" minLength:"36" maxLength:"36"`
}

func (in ReplyPath) reply() string { return strings.ToLower(in.ReplyID) }

type updateCancellationOutcomeInput struct {
	CancellationPath
	Body struct {
		Status       string `json:"status" enum:"Confirmed,Rejected"`
		StatusReason string `json:"statusReason,omitempty" enum:"UserNotFound,InconsistentData,AlreadyCancelled,BindingPeriod"`
		EndDate      string `json:"endDate,omitempty" format:"date"`
	}
}

type answerReplyInput struct {
	ReplyPath
	Body struct {
		Parameters []wireCancellationParameter `json:"parameters" nullable:"false" maxItems:"100"`
	}
}

// rawOutput is a mail.
type rawOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

func registerReplies(r *api.Router, replies *reply.Replies, answers *thread.Answers) {
	const path = prefix + "/cancellations/{cancellationId}"
	api.Register(r, api.Operation{
		ID: "listReplies", Method: http.MethodGet, Path: path + "/replies",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *CancellationPath) (*api.Response[repliesData], error) {
		list, err := replies.List(ctx, api.User(ctx), in.id())
		return api.Result(repliesData{Replies: api.List(list, toReply)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getReply", Method: http.MethodGet, Path: path + "/replies/{replyId}",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ReplyPath) (*api.Response[replyData], error) {
		one, err := replies.Get(ctx, api.User(ctx), in.id(), in.reply())
		return api.Result(replyData{withText(one)}, err)
	})

	api.Register(r, api.Operation{
		ID: "getRawReply", Method: http.MethodGet, Path: path + "/replies/{replyId}/raw",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Produces: "message/rfc822",
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *ReplyPath) (*rawOutput, error) {
		raw, err := replies.Raw(ctx, api.User(ctx), in.id(), in.reply())
		return &rawOutput{
			ContentType:        "message/rfc822",
			ContentDisposition: `attachment; filename="reply-` + in.reply() + `.eml"`, Body: raw,
		}, err
	})

	api.Register(r, api.Operation{
		ID: "answerReply", Method: http.MethodPost, Path: path + "/replies/{replyId}/answer",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true, Creates: true, Status: http.StatusCreated,
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound, apierror.Conflict, apierror.TemplateMismatch},
	}, func(ctx context.Context, in *answerReplyInput) (*api.Response[replyData], error) {
		response := func(answered reply.Reply) *api.Response[replyData] {
			return api.With(http.StatusCreated, replyData{withText(answered)})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[reply.Reply]) (reply.Reply, error) {
			return answers.Send(ctx, api.User(ctx), in.id(), in.reply(), parameters(in.Body.Parameters), also)
		})
	})

	api.Register(r, api.Operation{
		ID: "updateCancellationOutcome", Method: http.MethodPost, Path: path + "/outcome",
		Tag: "Cancellations", Scope: api.Cancellation, ForUser: true,
		Faults: []apierror.Code{apierror.NotFound, apierror.Conflict},
	}, func(ctx context.Context, in *updateCancellationOutcomeInput) (*api.Response[cancellationData], error) {
		status, reason := cancellation.Status(in.Body.Status), cancellation.StatusReason(in.Body.StatusReason)
		end := deadline.Date(in.Body.EndDate)
		var faults []apierror.Field
		if !dispatch.IsAnswer(status, reason) {
			faults = append(faults, apierror.Field{
				Pointer: "/statusReason", Code: "invalid", Detail: "Rejected needs a reason. Confirmed has none.",
			})
		}
		if end != "" && (end.Day().IsZero() || status != cancellation.StatusConfirmed) {
			faults = append(faults, apierror.Field{
				Pointer: "/endDate", Code: "invalid", Detail: "Must be a day, and goes with Confirmed only.",
			})
		}
		if len(faults) > 0 {
			return nil, apierror.Invalid(faults...)
		}
		c, err := replies.Decide(ctx, api.User(ctx), in.id(), status, reason, end)
		return api.Result(cancellationData{Cancellation: toCancellation(c)}, err)
	})
}

func withText(r reply.Reply) wireReply {
	w := toReply(r)
	w.Text = r.Text
	return w
}

func toReply(r reply.Reply) wireReply {
	return wireReply{
		ReplyID: r.ID, ReceivedAt: r.ReceivedAt, From: r.From, Subject: r.Subject, Kind: string(r.Kind),
		StatusReason: string(r.Reason), EndDate: string(r.EndDate), LaterDate: string(r.LaterDate),
		NeededFields: r.NeededFields, Excerpt: r.Excerpt, DecidedBy: r.Rule, Authentication: r.Authentication,
		AnsweredAt: r.AnsweredAt, AnswerStatus: string(r.AnswerStatus.Shown()),
		Attachments: api.List(r.Attachments, func(a reply.Attachment) wireReplyAttachment {
			return wireReplyAttachment{Name: a.Name, ContentType: a.ContentType, Size: a.Size}
		}),
	}
}
