package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Source produces the numbers of one draw. It is not safe for concurrent use.
type Source struct {
	pcg rand.PCG
}

// New returns the source for a seed and names: PCG-DXSM (rand.PCG, whose sequence Go promises to keep), seeded with the
// first 16 bytes of SHA-256 over the seed and the names. Every name is preceded by its length, so that different lists of
// names are never hashed alike. Everything is big-endian.
func New(seed uint64, names ...string) *Source {
	message := binary.BigEndian.AppendUint64(make([]byte, 0, 128), seed)
	for _, name := range names {
		message = binary.BigEndian.AppendUint64(message, uint64(len(name)))
		message = append(message, name...)
	}
	sum := sha256.Sum256(message)
	var s Source
	s.pcg.Seed(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
	return &s
}

// Below returns a number from 0 to n-1: the high word of a 64-bit number times n. It consumes one number whatever n is; the
// bias is below n in 2^64. n must be positive.
func (s *Source) Below(n int) int {
	high, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(high)
}

// Shuffle shuffles list in place (Fisher and Yates, from the end). It is written out here because the standard library does
// not promise that its own shuffle stays the same.
func Shuffle[T any](s *Source, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.Below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
