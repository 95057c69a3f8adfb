// Command identity runs the Lambda function of that name; see package identityfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/identityfn"
)

func main() { bootstrap.Main(identityfn.New) }
