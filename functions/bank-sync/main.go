// Command bank-sync is the Lambda function of that name; package banksyncfn says what it does.
package main

import (
	"aviso/internal/app/banksyncfn"
	"aviso/internal/app/bootstrap"
)

func main() { bootstrap.Main(banksyncfn.New) }
