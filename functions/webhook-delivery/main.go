// Command webhook-delivery runs the Lambda function of that name; see package webhookdeliveryfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/webhookdeliveryfn"
)

func main() { bootstrap.Main(webhookdeliveryfn.New) }
