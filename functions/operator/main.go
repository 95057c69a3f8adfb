// Command operator is the Lambda function of that name; package operatorfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/operatorfn"
)

func main() { bootstrap.Main(operatorfn.New) }
