// Command bank-sync runs the Lambda function of that name; see package banksyncfn.
package main

import (
	"aviso/internal/app/banksyncfn"
	"aviso/internal/app/bootstrap"
)

func main() { bootstrap.Main(banksyncfn.New) }
