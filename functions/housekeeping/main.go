// Command housekeeping runs the Lambda function of that name; see package housekeepingfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/housekeepingfn"
)

func main() { bootstrap.Main(housekeepingfn.New) }
