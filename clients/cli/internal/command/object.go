package command

import (
	"context"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

// objection is what the flags of object say.
type objection struct {
	user, channel, signature, key, output string
	fields                                map[string]string
	dryRun                                bool
}

func (a *app) object() *cobra.Command {
	var o objection
	cmd := a.command("object CANCELLATION_ID", "Object to debits after the end of a cancelled contract",
		func(ctx context.Context, args []string) error { return a.sendObjection(ctx, args[0], o) })
	cmd.Long = `Send a letter that objects to debits after the end of a contract, with the evidence of its
cancellation. It needs the same fields as the cancellation. --dry-run writes the letter to a
file, and nothing is sent.`
	f := cmd.Flags()
	f.StringToStringVar(&o.fields, "field", nil, "a field of the letter, as key=value; repeat it")
	f.StringVar(&o.signature, "signature", "", "the user's name, as signature")
	f.StringVar(&o.channel, "channel", "", "the channel to try first (default that of the cancellation)")
	f.StringVar(&o.key, "idempotency-key", "", "makes it safe to run the same command again (default a random one)")
	f.BoolVar(&o.dryRun, "dry-run", false, "write the letter to --output, and send nothing")
	f.StringVar(&o.output, "output", "objection.pdf", "file for the letter of --dry-run")
	return a.userFlag(cmd, &o.user)
}

func (a *app) sendObjection(ctx context.Context, cancellationID string, o objection) error {
	view, err := a.actingFor(o.user)
	if err != nil {
		return err
	}
	body := aviso.SendObjectionRequest{
		Channel: o.channel, Parameters: parameters(o.fields),
		Signature: aviso.Signature{Type: "TEXT", Data: o.signature},
	}
	params := &aviso.SendObjectionParams{DryRun: o.dryRun}
	sent, err := view.Cancellations.SendObjection(ctx, cancellationID, body, params, keyed(o.key)...)
	if err != nil {
		return err
	}
	if o.dryRun {
		return a.saveLetter(sent.Letter, o.output)
	}
	return a.show(sent.Objection, []string{"OBJECTION ID", "STATUS", "CHANNEL"},
		[][]string{{sent.Objection.ObjectionID, sent.Objection.Status, sent.Objection.Channel}})
}
