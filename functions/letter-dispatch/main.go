// Command letter-dispatch is the Lambda function of that name; package letterdispatchfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/letterdispatchfn"
)

func main() { bootstrap.Main(letterdispatchfn.New) }
