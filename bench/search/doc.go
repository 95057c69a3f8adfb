// Command search measures the search of the cancellation catalogue, package
// fulltext, beside one on SQLite's FTS5 (package fts5), over the same 50,000
// organizations with as many products and the same queries, and prints one
// table. It is a module of its own, so that SQLite stays out of the service.
//
// Each query goes to one index right after the other, in turns first, and three
// times to each, so that what else the machine does hits all alike and makes no
// query slow. Build time, memory and size are those of programs of their own
// (package footprint), built as functions are.
package main
