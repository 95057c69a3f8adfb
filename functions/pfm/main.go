// Command pfm runs the Lambda function of that name; see package pfmfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/pfmfn"
)

func main() { bootstrap.Main(pfmfn.New) }
