package maxdiff

import (
	"fmt"
	"slices"
)

// MaxOptions is the maximum number of options of a question. With more, the dense algebra would cost too much.
const MaxOptions = 100

// Screen is one comparison, by the options' indexes in the question.
type Screen struct {
	Shown       []int
	Best, Worst int
}

// Data holds the answers of many people compactly: two bytes for each option shown, and six per screen.
type Data struct {
	options int
	people  []person
	flat    []uint16 // for every screen: its size, the positions of best and worst on it, the options shown

	// Spread runs do for parts of the numbers from 0 to n, which may be at the same time; nil: one after another. The results are the same.
	Spread func(n int, do func(begin, end int))
}

type person struct {
	id         int
	marks      uint64
	weight     float64
	begin, end int // in flat
}

const headSize = 3

// New returns empty data for a question of 2 to MaxOptions options. It panics for other numbers.
func New(options int) *Data {
	if options < 2 || options > MaxOptions {
		panic(fmt.Sprintf("maxdiff: %d options", options))
	}
	return &Data{options: options}
}

// People returns the number of people added who answered a screen.
func (d *Data) People() int { return len(d.people) }

// Screens returns the number of screens answered.
func (d *Data) Screens() (n int) {
	for i := range d.people {
		d.each(&d.people[i], func([]uint16, int, int) { n++ })
	}
	return n
}

// Add adds one person's screens with a weight of one: see AddWeighted.
func (d *Data) Add(id int, marks uint64, screens []Screen) error {
	return d.AddWeighted(id, marks, 1, screens)
}

// AddWeighted adds one person's screens, which count for a weight. The id is returned in results about the person; marks are the caller's flags, for Marked. A
// person without screens is left out. It fails, and adds nothing, if a screen does not fit the question.
func (d *Data) AddWeighted(id int, marks uint64, weight float64, screens []Screen) error {
	begin := len(d.flat)
	for i := range screens {
		s := &screens[i]
		best, worst := slices.Index(s.Shown, s.Best), slices.Index(s.Shown, s.Worst)
		if len(s.Shown) < 2 || best < 0 || worst < 0 || best == worst || !d.distinct(s.Shown) {
			d.flat = d.flat[:begin]
			return fmt.Errorf("screen %d: best %d and worst %d of %v are not valid for %d options", i+1, s.Best, s.Worst, s.Shown, d.options)
		}
		d.flat = append(d.flat, uint16(len(s.Shown)), uint16(best), uint16(worst))
		for _, option := range s.Shown {
			d.flat = append(d.flat, uint16(option))
		}
	}
	if len(d.flat) > begin {
		d.people = append(d.people, person{id, marks, weight, begin, len(d.flat)})
	}
	return nil
}

func (d *Data) distinct(shown []int) bool {
	for i, option := range shown {
		if option < 0 || option >= d.options || slices.Contains(shown[:i], option) {
			return false
		}
	}
	return true
}

// WithMark returns the data of the people who have a bit of mark set. It shares the screens with d.
func (d *Data) WithMark(mark uint64) *Data {
	some := &Data{options: d.options, flat: d.flat}
	for _, p := range d.people {
		if p.marks&mark != 0 {
			some.people = append(some.people, p)
		}
	}
	return some
}

// each calls do for each of a person's screens; best and worst are positions in shown.
func (d *Data) each(p *person, do func(shown []uint16, best, worst int)) {
	for at := p.begin; at < p.end; {
		size := int(d.flat[at])
		do(d.flat[at+headSize:at+headSize+size], int(d.flat[at+1]), int(d.flat[at+2]))
		at += headSize + size
	}
}

// EachScreen calls do for every screen, person by person: number counts a person's screens from 1. shown must not be kept.
func (d *Data) EachScreen(do func(person, number int, shown []uint16, best, worst int) bool) {
	for i := range d.people {
		number, more := 0, true
		d.each(&d.people[i], func(shown []uint16, best, worst int) {
			number++
			more = more && do(d.people[i].id, number, shown, int(shown[best]), int(shown[worst]))
		})
		if !more {
			return
		}
	}
}
