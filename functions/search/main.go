// Command search is the Lambda function of that name; package searchfn says what it does.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/searchfn"
)

func main() { bootstrap.Main(searchfn.New) }
