package openapi

import _ "embed" // for the documents

// The documents, as the server serves them.
var (
	//go:embed v1.yaml
	V1 []byte // /api/public/v1/, camelCase
	//go:embed legacy.yaml
	Legacy []byte // /api/public/, snake_case
	//go:embed participant.yaml
	Participant []byte // /s/ and /i/, the participant's protocol
	//go:embed dashboard.yaml
	Dashboard []byte // /api/dashboard/, for the dashboard
)
