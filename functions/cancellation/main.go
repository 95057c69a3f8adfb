// Command cancellation is the Lambda function of that name; package cancellationfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/cancellationfn"
)

func main() { bootstrap.Main(cancellationfn.New) }
