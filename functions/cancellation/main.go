// Command cancellation runs the Lambda function of that name; see package cancellationfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/cancellationfn"
)

func main() { bootstrap.Main(cancellationfn.New) }
