// Package strictjson reads JSON bodies from untrusted clients. It refuses what encoding/json accepts (duplicate keys,
// trailing data, invalid UTF-8, unlimited nesting), keeps the order of the document, and reports every value that does not
// fit what the caller expects as an Issue in the shape of Zod's issues. It is pure: bytes in, values and issues out.
package strictjson
