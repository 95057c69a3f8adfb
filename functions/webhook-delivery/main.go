// Command webhook-delivery is the Lambda function of that name; package webhookdeliveryfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/webhookdeliveryfn"
)

func main() { bootstrap.Main(webhookdeliveryfn.New) }
