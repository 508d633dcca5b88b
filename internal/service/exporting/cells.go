package exporting

import (
	"encoding/json"
	"fmt"
	"strings"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// record is one response with all that is written of it.
type record struct {
	store.ExportedResponse
	item    document.Item
	visits  []interview.VisitedItem
	rows    []interview.Exchange // of the transcript, without the welcome
	consent response.Consent     // the zero value where there is none
	broken  bool                 // its log could not be replayed: there are no visits

	annotations []annotation.Annotation // by row and place
	tags        map[string]string       // names by ids

	quotaFull bool // a full cell ended it
}

// status returns how far the interview got, in the words of the dashboard.
func (r *record) status() string {
	if r.Progress == response.InProgress && r.Abandoned {
		return "abandoned"
	}
	return string(r.Progress)
}

// endReason returns why the interview was screened out; empty for every other state, and where the log is not known.
func (r *record) endReason() string {
	switch {
	case r.Progress != response.ScreenedOut || r.broken:
		return ""
	case r.quotaFull:
		return string(panel.QuotaFull)
	}
	return "screening"
}

// cells returns the cells of a response, one for each variable.
func (d *dictionary) cells(r *record) []cell {
	cells := make([]cell, len(d.variables))
	d.fillResponse(cells, r)
	if r.broken {
		return cells
	}
	for i := range d.variables {
		if d.variables[i].missing {
			cells[i] = cell{state: missed, number: notAsked}
		}
	}
	for i := range r.visits {
		m := &r.visits[i]
		if g := d.groups[place{m.ItemID, m.ConceptID}]; g != nil && g.question.Type == m.Type {
			d.fillGroup(cells, g, m)
		}
	}
	for at, g := range d.groups {
		if g.followUps >= 0 {
			cells[g.followUps] = textCell(followUps(r.rows, at))
		}
	}
	cells[len(cells)-1] = textCell(transcript(r.rows))
	return cells
}

func (d *dictionary) fillResponse(cells []cell, r *record) {
	cells[inResponse] = intCell(r.ReadableID)
	cells[inResponseID] = textCell(r.ID)
	cells[inStatus] = textCell(r.status())
	cells[inReason] = textCell(r.endReason())
	cells[inHidden] = intCell(0)
	if r.Hidden {
		cells[inHidden] = intCell(1)
	}
	if r.item.QualityScore.Known() && r.Progress != response.ScreenedOut { // a few screening answers say nothing of it
		cells[inQuality] = numberCell(float64(r.item.QualityScore))
	}
	if r.Override > 0 {
		cells[inJudged] = numberCell(r.Override)
	}
	cells[inLanguage] = textCell(r.Language)
	cells[inRevision] = intCell(r.Revision)
	cells[inStarted], cells[inEnded], cells[inUpdated] = timeCell(r.CreatedAt), timeCell(r.EndedAt), timeCell(r.UpdatedAt)
	cells[inSeconds] = intCell(int(r.item.DurationSeconds))
	cells[inTags] = textCell(strings.Join(r.item.Tags, "; "))
	cells[inTagline] = textCell(r.item.Tagline)
	summary, _ := r.item.Summary()
	cells[inSummary] = textCell(summary)
	cells[inBullets] = textCell(strings.Join(r.item.BulletSummary, "\n"))
	cells[inGivenTags], cells[inHighlights] = textCell(r.givenTags()), textCell(r.highlights())
	visible := r.VisibleParams()
	if len(visible) > 0 {
		all, _ := json.Marshal(visible) // a map of texts always has JSON
		cells[inParameters] = textCell(string(all))
	}
	if r.consent.Version > 0 {
		cells[inConsent], cells[inConsentHash] = intCell(r.consent.Version), textCell(r.consent.Hash)
	}
	for name, at := range d.parameters {
		cells[at] = textCell(visible[name])
	}
}

// fillGroup fills in the cells of a question that was shown.
func (d *dictionary) fillGroup(cells []cell, g *group, m *interview.VisitedItem) {
	own := cells[g.first : g.first+g.count]
	if !m.Done() {
		for i := range own {
			if d.variables[g.first+i].missing {
				own[i] = cell{state: missed, number: notAnswered}
			}
		}
		if len(m.Answers) == 0 { // a MaxDiff may stand between two screens
			return
		}
	}
	switch m.Type {
	case guide.OpenEnded:
		own[0] = textCell(m.Answers[0].Text)
	case guide.FileUpload:
		own[0] = textCell(strings.Join(m.Answers[0].FileNames, "; "))
	case guide.MultipleChoice:
		fillChoice(own, g, m)
	case guide.Ranking:
		g.notOffered(own, m)
		for rank, id := range m.Answers[0].Ranking {
			if at := g.question.Option(id); at >= 0 && own[at].state != filled {
				own[at] = intCell(rank + 1)
			}
		}
	case guide.Matrix:
		for i, row := range g.question.Rows {
			own[i] = cell{state: missed, number: notOffered} // the row came with another revision
			if column := g.question.Option(m.Answers[0].Cells[row.ID]); column >= 0 {
				own[i] = intCell(column + 1)
			}
		}
	case guide.MaxDiff:
		fillScreens(own, g, m)
	}
	if g.other >= 0 {
		cells[g.other] = textCell(ownWords(m))
	}
}

func fillChoice(own []cell, g *group, m *interview.VisitedItem) {
	if !g.question.Multi {
		for _, o := range m.Chosen {
			if at := g.question.Option(o.ID); at >= 0 {
				own[0] = intCell(at + 1)
			}
		}
		return
	}
	g.notOffered(own, m)
	for i := range g.question.Options {
		if own[i].number != notOffered {
			own[i] = intCell(0)
		}
	}
	for _, o := range m.Chosen {
		if at := g.question.Option(o.ID); at >= 0 {
			own[at] = intCell(1)
		}
	}
}

// notOffered marks the options that the participant was not shown.
func (g *group) notOffered(own []cell, m *interview.VisitedItem) {
	offered := make([]bool, len(g.question.Options))
	for _, o := range m.Options {
		if at := g.question.Option(o.ID); at >= 0 {
			offered[at] = true
		}
	}
	for i, o := range g.question.Options {
		own[i] = cell{}
		if len(m.Options) > 0 && !offered[i] && !o.Custom { // imported answers do not say what was offered, and everybody may use their own words
			own[i] = cell{state: missed, number: notOffered}
		}
	}
}

func fillScreens(own []cell, g *group, m *interview.VisitedItem) {
	each := g.size + 2
	for screen := range g.screens {
		part := own[screen*each : (screen+1)*each]
		if screen >= len(m.Screens) {
			for i := range part {
				part[i] = cell{state: missed, number: notOffered}
			}
			continue
		}
		for i := range g.size {
			part[i] = cell{state: missed, number: notOffered}
			if i < len(m.Screens[screen]) {
				part[i] = g.codeOf(m.Screens[screen][i].ID)
			}
		}
		if screen < len(m.Answers) {
			part[g.size], part[g.size+1] = g.codeOf(m.Answers[screen].Best), g.codeOf(m.Answers[screen].Worst)
		}
	}
}

func (g *group) codeOf(option string) cell {
	if at := g.question.Option(option); at >= 0 {
		return intCell(at + 1)
	}
	return cell{}
}

// ownWords returns the words that a participant put in place of an option, also those that were carried forward.
func ownWords(m *interview.VisitedItem) string {
	from := m.Options
	if m.Type == guide.MultipleChoice {
		from = m.Chosen
	}
	var all []string
	for _, o := range from {
		if strings.HasPrefix(o.ID, guide.CustomOptionID("")) && o.Text != guide.CustomOptionText && o.Text != "" {
			all = append(all, o.Text)
		}
	}
	return strings.Join(all, "; ")
}

// followUps returns the follow-ups to a question with their replies.
func followUps(rows []interview.Exchange, at place) string {
	var b strings.Builder
	for i := range rows {
		if row := &rows[i]; row.FollowUp && row.ItemID == at.itemID && row.ConceptID == at.conceptID {
			exchange(&b, row)
		}
	}
	return b.String()
}

// transcript returns the whole interview as text.
func transcript(rows []interview.Exchange) string {
	var b strings.Builder
	for i := range rows {
		exchange(&b, &rows[i])
	}
	return b.String()
}

func exchange(b *strings.Builder, row *interview.Exchange) {
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "Moderator: %s", row.Moderator)
	if !row.Statement {
		fmt.Fprintf(b, "\nParticipant: %s", row.User)
	}
}
