// Command pfm is the Lambda function of that name; package pfmfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/pfmfn"
)

func main() { bootstrap.Main(pfmfn.New) }
