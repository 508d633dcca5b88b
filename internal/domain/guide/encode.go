package guide

import (
	"bytes"
	"encoding/json"
)

// Encode writes the stored form of a guide: the contract's payload with every id filled in and without omitted or null keys.
// Decode with Options.Stored reads it back to an equal guide.
func Encode(g *Guide) []byte {
	var body bytes.Buffer
	to := json.NewEncoder(&body)
	to.SetEscapeHTML(false)
	if err := to.Encode(storedGuide(g)); err != nil {
		panic("guide: strings, booleans and integers did not encode: " + err.Error())
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n"))
}

// The payload's own keys, in the contract's order. The contract requires every key without omitempty.
type (
	wireGuide struct {
		Title          string       `json:"title"`
		ExternalTitle  string       `json:"externalTitle,omitempty"`
		Background     string       `json:"background,omitempty"`
		StudyGoal      string       `json:"studyGoal,omitempty"`
		Config         *wireConfig  `json:"config,omitempty"`
		WelcomeMessage *wireWelcome `json:"welcomeMessage,omitempty"`
		ClosingMessage string       `json:"closingMessage,omitempty"`
		StudyGuide     []wireBlock  `json:"studyGuide"`
	}
	wireConfig struct {
		InterviewMode      InterviewMode `json:"interviewMode,omitempty"`
		QuestionLanguage   string        `json:"questionLanguage,omitempty"`
		AvailableLanguages []string      `json:"availableLanguages,omitempty"`
		TargetPlatforms    []string      `json:"targetPlatforms,omitempty"`
		Verbatim           *wireVerbatim `json:"verbatim,omitempty"`
	}
	wireVerbatim struct {
		Model           *wireModelUse        `json:"model,omitempty"`
		SensitiveTopics *wireSensitiveTopics `json:"sensitiveTopics,omitempty"`
		Embedding       *wireEmbedding       `json:"embedding,omitempty"`
		Captions        []wireCaptions       `json:"captions,omitempty"`
		DecorativeMedia []string             `json:"decorativeMedia,omitempty"`
		Fieldwork       *wireFieldwork       `json:"fieldwork,omitempty"`
		Quotas          []wireQuota          `json:"quotas,omitempty"`
		Panel           *wirePanel           `json:"panel,omitempty"`
		Consent         *wireConsent         `json:"consent,omitempty"`
		ShowDuration    *bool                `json:"showDuration,omitempty"` // only where it is false
		Voice           *wireVoice           `json:"voice,omitempty"`
	}
	wireVoice struct {
		HandsFree    bool    `json:"handsFree"`
		PauseSeconds float64 `json:"pauseSeconds,omitempty"`
		LiveWords    bool    `json:"liveWords,omitempty"`
	}
	wireEmbedding struct {
		AllowedOrigins []string `json:"allowedOrigins"`
	}
	wireCaptions struct {
		MediaURL string `json:"mediaUrl"`
		URL      string `json:"url"`
		Language string `json:"language"`
	}
	wireSensitiveTopics struct {
		Message string `json:"message"`
	}
	wireModelUse struct {
		NeverSend     []string `json:"neverSend,omitempty"`
		SendScreening bool     `json:"sendScreening,omitempty"`
		SendAnything  *bool    `json:"sendAnything,omitempty"` // only where it is false
	}
	wireWelcome struct {
		Title   string `json:"title,omitempty"`
		Message string `json:"message,omitempty"`
	}
	wireBlock struct {
		Type       BlockType     `json:"type"`
		Title      string        `json:"title"`
		ExternalID string        `json:"externalId"`
		Sampling   *wireSampling `json:"conceptSamplingConfig,omitempty"`
		Items      []wireItem    `json:"items"`
	}
	wireSampling struct {
		Concepts       []wireConcept `json:"concepts"`
		SubsampleCount int           `json:"subsampleCount,omitempty"`
	}
	wireConcept struct {
		ExternalID  string           `json:"externalId"`
		Nickname    string           `json:"nickname"`
		Content     wireContent      `json:"content"`
		Conditional *wireConditional `json:"conditional,omitempty"`
	}
	wireContent struct {
		Title       string      `json:"title"`
		Description string      `json:"description,omitempty"`
		Media       []wireMedia `json:"media,omitempty"`
		Embed       *wireEmbed  `json:"embed,omitempty"`
	}
	wireMedia struct {
		Name            string  `json:"name"`
		URL             string  `json:"url"`
		Type            string  `json:"type"`
		WidthPercentage float64 `json:"widthPercentage,omitempty"`
		ForceWatching   bool    `json:"forceWatching,omitempty"`
	}
	wireEmbed struct {
		URL      string `json:"url"`
		ProxyURL string `json:"proxyUrl,omitempty"`
	}
	wireItem struct {
		Text                     string           `json:"text"`
		Type                     ItemType         `json:"type"`
		ExternalID               string           `json:"externalId"`
		Conditional              *wireConditional `json:"conditional,omitempty"`
		Media                    []wireMedia      `json:"media,omitempty"`
		Embed                    *wireEmbed       `json:"embed,omitempty"`
		FollowUp                 FollowUp         `json:"followUp,omitempty"`
		AddInstructions          string           `json:"addInstructions,omitempty"`
		PreferredInput           string           `json:"preferredInput,omitempty"`
		ScreenObservationEnabled bool             `json:"screenObservationEnabled,omitempty"`
		Options                  []wireOption     `json:"options,omitempty"`
		Rows                     []wireRow        `json:"rows,omitempty"`
		MultiSelect              bool             `json:"multiSelect,omitempty"`
		MinSelect                int              `json:"minSelect,omitempty"`
		MaxSelect                int              `json:"maxSelect,omitempty"`
		AllowCustomOption        bool             `json:"allowCustomOption,omitempty"`
		RandomizeOptionOrder     bool             `json:"randomizeOptionOrder,omitempty"`
		PinnedFinalOption        bool             `json:"pinnedFinalOption,omitempty"`
		CarryForwardFrom         string           `json:"carryForwardFrom,omitempty"`
		Metric                   string           `json:"metric,omitempty"`
		ItemsPerScreen           int              `json:"itemsPerScreen,omitempty"`
		ContinueButtonText       string           `json:"continueButtonText,omitempty"`
	}
	wireOption struct {
		Text       string       `json:"text"`
		ExternalID string       `json:"externalId"`
		Status     OptionStatus `json:"status,omitempty"`
		Exclusive  bool         `json:"exclusiveOption,omitempty"`
	}
	wireRow struct {
		Text string `json:"text"`
	}
	wireConditional struct {
		Operator Operator        `json:"operator"`
		Criteria []wireCriterion `json:"criteria"`
	}
	wireCriterion struct {
		Type       CriterionType `json:"type"`
		QuestionID string        `json:"questionId,omitempty"`
		Matching   Matching      `json:"matchingCriteria,omitempty"`
		Choices    []string      `json:"choices,omitempty"`
		MatrixRow  string        `json:"matrixRow,omitempty"`
		Parameter  string        `json:"parameter,omitempty"`
		Value      *string       `json:"value,omitempty"` // may be empty where it is required
	}
)
