// Command sandbox is the Lambda function of that name; package sandboxfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/sandboxfn"
)

func main() { bootstrap.Main(sandboxfn.New) }
