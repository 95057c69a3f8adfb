// Command reply-reader runs the Lambda function of that name; see package replyreaderfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/replyreaderfn"
)

func main() { bootstrap.Main(replyreaderfn.New) }
