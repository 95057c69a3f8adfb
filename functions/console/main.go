// Command console is the Lambda function of that name; package consolefn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/consolefn"
)

func main() { bootstrap.Main(consolefn.New) }
