// Command letter-feedback is the Lambda function of that name; package letterfeedbackfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/letterfeedbackfn"
)

func main() { bootstrap.Main(letterfeedbackfn.New) }
