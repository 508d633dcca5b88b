package guide

import (
	"slices"
	"strconv"

	"verbatim/internal/domain/strictjson"
)

// ModelUse limits what of a study may be sent to a language model. It is an extension of the contract by this program: the object
// model of config.verbatim. The zero value sends everything but the answers to screening questions.
type ModelUse struct {
	NeverSend     []string // ids of items whose answers are never sent; nil: none
	SendScreening bool     // sendScreening: answers to screening questions are sent, too
	SendNothing   bool     // sendAnything is false: nothing of the study is sent, its own texts included
}

// modelUse reads config.verbatim.model.
func (d *decoder) modelUse(o *strictjson.Object) ModelUse {
	use := ModelUse{
		NeverSend:     o.TextsUpTo("neverSend", strictjson.Optional, 0, d.upTo(MaxItems), d.upTo(MaxID)),
		SendScreening: o.Bool("sendScreening", strictjson.Optional),
	}
	anything := o.Bool("sendAnything", strictjson.Optional)
	use.SendNothing = o.Has("sendAnything") && !anything
	if len(use.NeverSend) == 0 {
		use.NeverSend = nil
	}
	return use
}

// neverSendNamesItems checks that every id of config.verbatim.model.neverSend is that of an item, and stands there once.
func neverSendNamesItems(r *rules) {
	ids := r.guide.Config.Model.NeverSend
	for i, id := range ids {
		place := "config.verbatim.model.neverSend[" + strconv.Itoa(i) + "]"
		if r.byID[id] == nil {
			r.report(place, "no item has the externalId %s", quote(id))
		} else if first := slices.Index(ids, id); first < i {
			r.report(place, "externalId %s is already named by neverSend[%d]", quote(id), first)
		}
	}
}

// SendsNothing reports whether nothing of the study may be sent to a language model.
func (g *Guide) SendsNothing() bool { return g.Config.Model.SendNothing }

// Withheld returns the items whose answers may not be sent to a language model, by id: those that the author named, screening
// questions unless the author sends them, and every item whose options are carried forward from one of them, because it shows what was
// answered there. If nothing of the study may be sent, these are all items.
func (g *Guide) Withheld() map[string]bool {
	use := &g.Config.Model
	withheld := map[string]bool{}
	for _, id := range use.NeverSend {
		withheld[id] = true
	}
	for place, item := range g.Items() {
		if use.SendNothing || !use.SendScreening && g.IsScreener(place) || withheld[item.CarryForwardFrom] {
			withheld[item.ID] = true
		}
	}
	return withheld
}
