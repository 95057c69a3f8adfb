// Command letter-dispatch runs the Lambda function of that name; see package letterdispatchfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/letterdispatchfn"
)

func main() { bootstrap.Main(letterdispatchfn.New) }
