// Package draw supplies the interview's randomness: numbers that look random and are always the same for the same seed and
// name. Every draw has a source of its own, named by what is drawn and where, so that a change elsewhere in the guide does
// not affect it. The method is part of the stored data: an interview is replayed from its seed, on any node and by any later
// version, so what a name draws must never change, whatever Go release builds it. Golden tests fix it.
package draw
