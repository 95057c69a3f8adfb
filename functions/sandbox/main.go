// Command sandbox runs the Lambda function of that name; see package sandboxfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/sandboxfn"
)

func main() { bootstrap.Main(sandboxfn.New) }
