// Command clock runs the Lambda function of that name; see package clockfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/clockfn"
)

func main() { bootstrap.Main(clockfn.New) }
