// Package strictjson reads JSON bodies that strangers send. It refuses what encoding/json lets pass (duplicate keys,
// trailing data, invalid UTF-8, bottomless nesting), keeps the order of the document, and reports every value that does
// not fit what the caller expects as an Issue in the shape of Zod's issues. It is pure: bytes in, values and issues out.
package strictjson
