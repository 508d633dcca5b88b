// Package draw is the interview's chance: numbers that look random and are always the same for the same seed and place.
// Every draw has a source of its own, named by what is drawn and where, so that a change elsewhere in the guide moves
// nothing here. The method is part of the stored data: an interview is replayed from its seed, on any node and by any
// later version, so what a name draws must never change, whatever Go release builds it. Golden tests hold it still.
package draw
