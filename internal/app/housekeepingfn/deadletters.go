package housekeepingfn

import (
	"context"
	"errors"
	"log/slog"
	"path"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/messaging/queue"
)

// deadLetters are the dead-letter queues.
type deadLetters struct {
	client *sqs.Client
	urls   []string
}

// count returns the number of messages in the queues, and logs the queues that are not empty.
func (d deadLetters) count(ctx context.Context) (int, error) {
	sum, failed := 0, error(nil)
	for _, url := range d.urls {
		n, err := queue.Visible(ctx, d.client, url)
		failed = errors.Join(failed, err)
		if n > 0 {
			slog.WarnContext(ctx, "dead letters", "queue", path.Base(url), "messages", n)
		}
		sum += n
	}
	return sum, failed
}
