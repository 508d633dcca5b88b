// Package guidetest makes valid study guides for tests: one rich sample, and randomly drawn ones for property tests.
package guidetest

import (
	"fmt"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/sample"
)

// RichPayload returns the sample study as a client would send it.
func RichPayload() []byte { return sample.Payload }

// Rich returns the sample study, decoded; generated ids are generated-1, generated-2, ...
func Rich() *guide.Guide {
	g, err := guide.Decode(sample.Payload, guide.Options{NewID: IDs("generated")})
	if err != nil {
		panic("the sample guide is not valid: " + err.Error())
	}
	return g
}

// IDs returns a function that returns prefix-1, prefix-2, ...
func IDs(prefix string) func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("%s-%d", prefix, n)
	}
}
