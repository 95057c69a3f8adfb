// Command console runs the Lambda function of that name; see package consolefn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/consolefn"
)

func main() { bootstrap.Main(consolefn.New) }
