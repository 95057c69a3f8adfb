// Command letter-feedback runs the Lambda function of that name; see package letterfeedbackfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/letterfeedbackfn"
)

func main() { bootstrap.Main(letterfeedbackfn.New) }
