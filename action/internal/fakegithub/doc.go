// Package fakegithub is a GitHub for tests and dry runs: an http.Handler that
// keeps repositories, pull requests, comments, reviews and code scanning, checks
// tokens, and misbehaves on demand. It answers the calls that the Action makes, in
// the form and with the errors that GitHub has, and no others.
//
// Every request is checked against GitHub's published descriptions: the OpenAPI
// description for REST, the schema for GraphQL. So are the fake's own answers, but
// for errors and raw files. Both are fetched; without a network everything works but
// these checks (Contract says so). What a client must not do is in Violations: a
// request against the descriptions, a field or call that the fake does not know, a
// change to somebody else's comment, a missing header.
//
// What GitHub does and no description says is modelled after its documentation
// and error reports of users. In doubt the fake is the stricter of the two: it
// takes reviews for the head commit only. Rate limits are never reached; rules
// (On) answer as if they were.
//
// Addresses in answers are those of github.com's form, also below EnterpriseURL.
//
// Reading the descriptions costs a third of a second per process, once for each
// of github.com and Enterprise Server; a request then one or two milliseconds.
// Everything is kept in memory.
package fakegithub
