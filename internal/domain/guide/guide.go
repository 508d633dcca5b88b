package guide

import "verbatim/internal/domain/panel"

// Guide is one revision of a study guide, with every id filled in. It is immutable once decoded, so it may be shared freely.
type Guide struct {
	Title          string // internal; never empty
	ExternalTitle  string // for participants; empty falls back to Title, see ParticipantTitle
	Background     string
	StudyGoal      string
	Config         Config
	Welcome        Welcome
	ClosingMessage string
	Blocks         []Block
}

// ParticipantTitle returns the title that participants see.
func (g *Guide) ParticipantTitle() string {
	if g.ExternalTitle != "" {
		return g.ExternalTitle
	}
	return g.Title
}

// Welcome is shown before the first question; both parts may be empty.
type Welcome struct {
	Title   string
	Message string
}

// InterviewMode selects how participants answer, and what is recorded.
type InterviewMode string

// The interview modes of the contract. The empty mode means text.
const (
	ModeText        InterviewMode = "text"
	ModeAudio       InterviewMode = "audio"
	ModeAudioText   InterviewMode = "audio_text"
	ModeAudioScreen InterviewMode = "audio_screen"
	ModeVideo       InterviewMode = "video"
	ModeVideoScreen InterviewMode = "video_screen"
)

// Config holds the settings of a study. Zero values mean "omitted".
type Config struct {
	InterviewMode      InterviewMode
	QuestionLanguage   string   // a code of Languages; empty means en
	AvailableLanguages []string // codes of Languages; nil means the question language alone
	TargetPlatforms    []string // of ios, android, desktop; nil means any
	Model              ModelUse
	SensitiveTopics    SensitiveTopics
	Fieldwork          Fieldwork
	Quotas             []Quota
	Panel              *panel.Settings // nil: the study has no panel
	Consent            Consent
	HideDuration       bool // showDuration of config.verbatim is false: participants are not told how long the interview takes
	Embedding          Embedding
	Captions           []Captions // of videos; nil: none
	Voice              Voice
	DecorativeMedia    []string // addresses of images that say nothing: nobody is told of them who does not see them
}

// BlockType names the kind of a block.
type BlockType string

// The block types of the contract.
const (
	BlockFlat      BlockType = "flat"
	BlockScreening BlockType = "screening"
	BlockConcept   BlockType = "concept"
)

// Block is a sequence of items. Sampling is set on concept blocks only.
type Block struct {
	ID       string // externalId, generated where omitted
	Type     BlockType
	Title    string // may be empty
	Items    []Item
	Sampling *Sampling
}

// Sampling configures which concepts a participant sees.
type Sampling struct {
	Concepts       []Concept
	SubsampleCount int // 0 means all
}

// Concept is something that is shown and asked about: each item of its block is asked about each sampled concept.
type Concept struct {
	ID          string // externalId, generated where omitted
	Nickname    string // internal label
	Title       string // for participants
	Description string
	Media       []Media
	Embed       *Embed
	Conditional *Conditional
}

// Media is a picture or a video beside a question or a concept.
type Media struct {
	Type            string // image or video
	Name            string
	URL             string  // absolute http(s)
	WidthPercentage float64 // 1 to 100; 0 when omitted
	ForceWatching   bool
}

// Embed is a page shown inside the interview, for example a design prototype.
type Embed struct {
	URL      string // absolute http(s)
	ProxyURL string // absolute http(s), or empty
}

// ItemType names the kind of an item.
type ItemType string

// The item types. FileUpload is not accepted by create; the dashboard makes it.
const (
	OpenEnded      ItemType = "open_ended"
	FileUpload     ItemType = "file_upload"
	MultipleChoice ItemType = "multiple_choice"
	Ranking        ItemType = "ranking"
	Matrix         ItemType = "matrix"
	MaxDiff        ItemType = "max_diff"
	Statement      ItemType = "statement"
)

// FollowUp is the persistence of the moderator in probing an open answer. The empty value means medium.
type FollowUp string

// The follow-up levels of the contract: at most 0, 1, 2 and 4 follow-ups per question.
const (
	FollowUpNone   FollowUp = "none"
	FollowUpLight  FollowUp = "light"
	FollowUpMedium FollowUp = "medium"
	FollowUpHeavy  FollowUp = "heavy"
)

// Limit returns the maximum number of follow-ups that one question may get at this level.
func (f FollowUp) Limit() int {
	switch f {
	case FollowUpNone:
		return 0
	case FollowUpLight:
		return 1
	case FollowUpHeavy:
		return 4
	default:
		return 2
	}
}

// Item is one question or statement. Fields that its type does not have are zero.
type Item struct {
	ID          string // externalId, generated where omitted; the Question.id of the API
	Type        ItemType
	Text        string
	Conditional *Conditional
	Media       []Media
	Embed       *Embed

	// open_ended
	FollowUp                 FollowUp
	AddInstructions          string
	PreferredInput           string // text, voice, screenRecording, none or empty
	ScreenObservationEnabled bool

	// multiple_choice, ranking, max_diff; the columns of a matrix
	Options              []Option
	MultiSelect          bool
	MinSelect, MaxSelect int // both 0 when omitted
	AllowCustomOption    bool
	RandomizeOptionOrder bool
	PinnedFinalOption    bool
	CarryForwardFrom     string // id of an earlier multi-select item; Options is nil then

	// matrix
	Rows []Row

	// max_diff
	Metric         string
	ItemsPerScreen int // 0 when omitted; see ScreenSize

	// statement
	ContinueButtonText string
}

// ScreenSize returns how many options one MaxDiff screen shows: itemsPerScreen or 4, and never more than there are options.
func (it *Item) ScreenSize() int {
	size := it.ItemsPerScreen
	if size == 0 {
		size = 4
	}
	return min(size, len(it.Options))
}

// OptionStatus decides what happens to a participant who chooses a screening option. Empty outside screening blocks.
type OptionStatus string

// The statuses of the contract.
const (
	Approve OptionStatus = "approve"
	Reject  OptionStatus = "reject"
	Neutral OptionStatus = "neutral"
)

// Option can be chosen, ranked or compared, or is a column of a matrix.
type Option struct {
	ID        string // externalId, generated where omitted; unique within its item
	Text      string
	Status    OptionStatus
	Exclusive bool
}

// Row is a row of a matrix. Its id is its position: r1, r2, ...
type Row struct {
	ID   string
	Text string
}

// Operator combines the criteria of a conditional.
type Operator string

// The operators of the contract.
const (
	And Operator = "and"
	Or  Operator = "or"
)

// Conditional shows an item or a concept only when its criteria match.
type Conditional struct {
	Operator Operator
	Criteria []Criterion // never empty
}

// CriterionType names the kind of a criterion.
type CriterionType string

// The criterion types of the contract.
const (
	SelectedTemplateOptions CriterionType = "selectedTemplateOptions"
	SearchParam             CriterionType = "searchParam"
)

// Matching is the demand of a criterion on its choices: selected, or not selected.
type Matching string

// The matchings of the contract.
const (
	MustSelect    Matching = "mustSelect"
	MustNotSelect Matching = "mustNotSelect"
)

// Criterion is one test of a conditional. The fields of the other type are zero.
type Criterion struct {
	Type CriterionType

	// selectedTemplateOptions
	QuestionID string
	Matching   Matching
	Choices    []string // option ids or option texts, as the author wrote them; see Guide.ChoiceIDs
	MatrixRow  string   // exact row text, for a matrix source

	// searchParam
	Parameter string
	Value     string
}
