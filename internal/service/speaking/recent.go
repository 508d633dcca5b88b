package speaking

import (
	"container/list"
	"sync"
)

// maxRecent limits the bytes of the sounds in memory.
const maxRecent = 32 << 20

// recent keeps the sounds that were asked for last.
type recent struct {
	mu    sync.Mutex
	order list.List // of recentSound, the latest first
	names map[string]*list.Element
	bytes int
}

type recentSound struct {
	name string
	Sound
}

func (r *recent) get(name string) (Sound, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, known := r.names[name]
	if !known {
		return Sound{}, false
	}
	r.order.MoveToFront(at)
	return at.Value.(recentSound).Sound, true
}

func (r *recent) put(name string, sound Sound) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names == nil {
		r.names = map[string]*list.Element{}
	}
	if _, known := r.names[name]; known {
		return
	}
	r.names[name] = r.order.PushFront(recentSound{name, sound})
	for r.bytes += len(sound.Audio); r.bytes > maxRecent; {
		last := r.order.Remove(r.order.Back()).(recentSound)
		delete(r.names, last.name)
		r.bytes -= len(last.Audio)
	}
}
