package llm

import (
	"slices"

	"verbatim/internal/domain/masking"
)

// Every request passes through outgoing, and only an outgoing can be sent (Client.body): so no caller can forget to mask what may
// identify a person, and none needs to restore what comes back.

// outgoing is a request as it leaves, with the way back. Only newOutgoing makes one.
type outgoing struct {
	Request
	masker *masking.Masker // nil: nothing was masked
}

// maskNote is added to the system prompt of a request with placeholders.
const maskNote = "Details that could identify a person were taken out of the texts. A placeholder in square brackets, such as [mail 1], stands for each. " +
	"Where you repeat or quote words with a placeholder, copy it exactly. Never ask or guess what it stands for."

// newOutgoing masks a request, or only opens what its Masker sealed if masking is off.
func newOutgoing(q Request, unmasked bool) outgoing {
	masker := q.Masker
	if masker == nil {
		masker = masking.New()
	}
	change := masker.MaskMessage
	if unmasked {
		change = masker.OpenMessage
	}
	q.Messages = slices.Clone(q.Messages)
	for i := range q.Messages {
		q.Messages[i].Text = change(q.Messages[i].Text)
	}
	q.System = change(q.System)
	if unmasked || !masker.Masked() {
		return outgoing{Request: q}
	}
	if q.System != "" {
		q.System += "\n\n"
	}
	q.System += maskNote
	return outgoing{Request: q, masker: masker}
}

// restored returns the text of a reply with the originals, unless the request wants the placeholders.
func (o outgoing) restored(text string) string {
	switch {
	case o.masker == nil || o.KeepPlaceholders:
		return text
	case o.Schema != nil:
		return o.masker.RestoreJSON(text)
	}
	return o.masker.Restore(text)
}

// stream returns a Delta that restores what arrives, and a function that passes on the rest when no more arrives.
func (o outgoing) stream() (delta func(string), end func()) {
	if o.Delta == nil || o.masker == nil || o.KeepPlaceholders {
		return o.Delta, func() {}
	}
	s := masking.Stream{Masker: o.masker, JSON: o.Schema != nil, To: o.Delta}
	return s.Write, s.Close
}

// Outgoing returns what would leave of a request, without sending it: system prompt and messages, masked as Chat masks them. It is
// for showing people what a model gets.
func Outgoing(q Request, unmasked bool) Request { return newOutgoing(q, unmasked).Request }
