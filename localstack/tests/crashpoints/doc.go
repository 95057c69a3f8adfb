// Package crashpoints has no code, only tests: every way through the service is interrupted
// at every call it makes, and then goes on as it would in production.
//
// A way is the path of a letter, a delivery, a sync or an erasure, from the message that
// starts it until nothing is left to do. The functions' services run in this process, on a
// database in memory (package memdb) and queues, carriers, a bank and receivers that a world
// simulates. A crash is the end of one invocation at one of its calls: none of its later calls
// reaches anybody. It happens before the call takes effect, or after it, with the answer lost.
// SQS, the stream and Lambda then repeat what was interrupted, housekeeping goes on, and the
// clock passes every lease.
package crashpoints
