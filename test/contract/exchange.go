package contract

import "net/http"

// Check returns what is wrong with an answer that came over a network, as Wrap reports it for a handler. sent is the request's body.
func (s *Suite) Check(request *http.Request, sent []byte, status int, header http.Header, body []byte) []string {
	return s.check(exchange{request: request, sent: sent, status: status, header: header, body: body})
}

// Documented returns the operation of a request; ok is false if no document has it.
func (s *Suite) Documented(request *http.Request) (operation Operation, ok bool) {
	op := s.find(request)
	if op == nil {
		return Operation{}, false
	}
	return op.Operation, true
}
