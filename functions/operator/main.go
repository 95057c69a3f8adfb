// Command operator runs the Lambda function of that name; see package operatorfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/operatorfn"
)

func main() { bootstrap.Main(operatorfn.New) }
