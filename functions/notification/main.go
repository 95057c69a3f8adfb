// Command notification runs the Lambda function of that name; see package notificationfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/notificationfn"
)

func main() { bootstrap.Main(notificationfn.New) }
