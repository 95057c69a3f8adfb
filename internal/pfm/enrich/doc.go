// Package enrich determines the purpose and the payee of a transaction. It is deterministic: it tries a pipeline of
// sources, the first result wins, and every result names its source and rule.
//
// The words of a row are folded once (text.go) and looked up once in an index of all known phrases (index.go):
// merchants' aliases, keywords, and cues such as "card payment" or a first name. The steps of the pipeline
// (engine.go) then weigh the matches.
//
// The rules are data/*.csv. They are read (load.go) for the first row.
package enrich
