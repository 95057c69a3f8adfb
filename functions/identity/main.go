// Command identity is the Lambda function of that name; package identityfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/identityfn"
)

func main() { bootstrap.Main(identityfn.New) }
