package simulation

// step is the part of the protocol's step that a participant needs.
type step struct {
	StepID    string    `json:"stepId"`
	Kind      string    `json:"kind"`
	Reason    string    `json:"reason"`    // of a screen-out: quota_full, or nothing
	Moderator *string   `json:"moderator"` // the words of a follow-up
	Question  *question `json:"question"`
	Concept   *concept  `json:"concept"`
}

type question struct {
	ID                string   `json:"id"`
	Number            int      `json:"number"`
	Type              string   `json:"type"`
	Text              string   `json:"text"`
	Options           []option `json:"options"`
	Rows              []option `json:"rows"`
	Columns           []option `json:"columns"`
	MultiSelect       bool     `json:"multiSelect"`
	MinSelect         int      `json:"minSelect"`
	MaxSelect         int      `json:"maxSelect"`
	AllowCustomOption bool     `json:"allowCustomOption"`
}

type option struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Exclusive bool   `json:"exclusive"`
}

type concept struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Body is the JSON object of an answer without its stepId.
type Body map[string]any

// refusal is the body of an error response; Step is set for stale_step.
type refusal struct {
	Error string `json:"error"`
	Code  string `json:"code"`
	Step  *step  `json:"step"`
}
