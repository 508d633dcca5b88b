// Package transcript owns what recognisers hear in uploads: words with their times and confidence. It also knows, without
// any recogniser, where in a sound somebody speaks, so that silence is never sent to one and what one invents about silence
// is thrown away.
package transcript
