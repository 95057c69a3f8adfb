// Command search runs the Lambda function of that name; see package searchfn.
package main

import (
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/searchfn"
)

func main() { bootstrap.Main(searchfn.New) }
