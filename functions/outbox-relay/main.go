// Command outbox-relay runs the Lambda function of that name; see package outboxrelayfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/outboxrelayfn"
)

func main() { bootstrap.Main(outboxrelayfn.New) }
