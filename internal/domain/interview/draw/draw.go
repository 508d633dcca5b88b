package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Source gives the numbers of one draw. It is not safe for concurrent use.
type Source struct {
	pcg rand.PCG
}

// New is the source of the draw that names tell: PCG-DXSM (rand.PCG, whose sequence Go promises to keep), seeded with
// the first 16 bytes of SHA-256 over the seed and the names. Every name is led by its length, so no two lists of names
// are hashed alike. Everything is big-endian.
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

// Below is a number from 0 to n-1: the high word of a 64-bit number times n. It spends one number whatever n is; the
// unevenness is below n in 2^64. n must be positive.
func (s *Source) Below(n int) int {
	high, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(high)
}

// Shuffle puts list into a drawn order, in place (Fisher and Yates, from the end). It is written out here because the
// standard library does not promise that its own shuffle stays the same.
func Shuffle[T any](s *Source, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.Below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
