// Command housekeeping is the Lambda function of that name; package housekeepingfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/housekeepingfn"
)

func main() { bootstrap.Main(housekeepingfn.New) }
