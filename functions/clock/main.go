// Command clock is the Lambda function of that name; package clockfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/clockfn"
)

func main() { bootstrap.Main(clockfn.New) }
