// Package dashboard serves the researcher's dashboard: its JSON API below /api/dashboard/, as openapi/dashboard.yaml has it, and the HTML document
// of its pages. The table of operations says who may call what; handlers decode, call one service, and encode.
package dashboard
