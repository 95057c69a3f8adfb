// Command notification is the Lambda function of that name; package notificationfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/notificationfn"
)

func main() { bootstrap.Main(notificationfn.New) }
