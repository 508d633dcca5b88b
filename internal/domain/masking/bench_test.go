package masking_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/masking"
)

func BenchmarkMask(b *testing.B) {
	for name, text := range map[string]string{
		"words":   strings.Repeat("I walk to work every day, and in the evening I take the bus because the street is dark. ", 180),
		"details": strings.Repeat("Write to anna@example.org or 0171 2345678, I live at 14 Baker Street, since 2019 I paid 12,50 euros. ", 160),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				masking.New("Maria").Mask(text)
			}
		})
	}
}
