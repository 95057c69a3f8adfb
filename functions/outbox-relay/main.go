// Command outbox-relay is the Lambda function of that name; package outboxrelayfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/outboxrelayfn"
)

func main() { bootstrap.Main(outboxrelayfn.New) }
