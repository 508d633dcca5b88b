package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxPartial limits the bytes of an object that a Partial reads. A field that arrives in chunks is read again with each of them, so
// this also bounds the cost of a long field in very small chunks.
const maxPartial = 8 << 10

// Partial reads a JSON object while it arrives, so that a field can be examined and shown before the rest is there. The zero
// value is ready to use; pass the chunks to Write, which may be cut anywhere. Text before the object is skipped.
//
// Partial does not check the entire object: what follows a field may be invalid. It reads no further than the first error in
// the JSON, or maxPartial bytes.
type Partial struct {
	size   int    // bytes of the object that have arrived
	unread []byte // the object without its complete fields
	fields map[string]string
}

// Field returns a field of the object itself once it is complete: the text of a string, or a literal (true, false, null, a
// number). Objects and arrays are skipped.
func (p *Partial) Field(name string) (value string, complete bool) {
	value, complete = p.fields[name]
	return value, complete
}

// Write reads the next chunk.
func (p *Partial) Write(chunk string) {
	if p.size == 0 {
		chunk = chunk[max(strings.IndexByte(chunk, '{'), 0):]
		if !strings.HasPrefix(chunk, "{") {
			return
		}
		p.fields = map[string]string{}
	}
	chunk = chunk[:min(len(chunk), maxPartial-p.size)]
	p.size += len(chunk)
	p.unread = append(p.unread, chunk...)
	if strings.ContainsAny(chunk, "\",} \t\r\n") { // otherwise no field ends here
		p.read()
	}
}

// read reads fields up to the first that is incomplete or invalid.
func (p *Partial) read() {
	d := json.NewDecoder(bytes.NewReader(p.unread))
	if _, err := d.Token(); err != nil { // the opening brace
		return
	}
	var unread []byte // what follows the comma after the last field
	for d.More() {
		name, err := d.Token()
		key, isKey := name.(string)
		var value json.RawMessage
		if err != nil || !isKey || d.Decode(&value) != nil || !p.store(key, value, d.InputOffset()) {
			break
		}
		if behind, more := bytes.CutPrefix(bytes.TrimLeft(p.unread[d.InputOffset():], blanks), []byte(",")); more {
			unread = behind
		}
	}
	if unread != nil {
		p.unread = append([]byte("{"), unread...)
	}
}

// store stores a field whose value ends at an offset of p.unread. It reports whether the value is complete and valid.
func (p *Partial) store(key string, value json.RawMessage, end int64) bool {
	text := string(value)
	switch value[0] {
	case '{', '[':
		delete(p.fields, key) // as in decoders, the last of several wins
		return true
	case '"':
		if json.Unmarshal(value, &text) != nil {
			return false
		}
	default:
		if end == int64(len(p.unread)) {
			return false // more digits may follow
		}
	}
	p.fields[key] = text
	return true
}
