// Package enrich says of a transaction what it was for and who was paid. It is
// deterministic: a pipeline of sources of which the first with an answer wins,
// and every answer names its source and rule.
//
// The words of a row are folded once (text.go) and looked up once in an index
// of all phrases that mean something (index.go): merchants' aliases, keywords
// and cues such as "card payment" or a first name. The steps of the pipeline
// (engine.go) then judge what was found.
//
// The rules are written as data/*.csv and compiled ahead (compile.go) into
// tables that are read where they lie in the binary (rules.go): a start parses
// nothing.
package enrich
