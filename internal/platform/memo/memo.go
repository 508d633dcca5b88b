// Package memo caches values in memory that are expensive to make and never change, and limits how many are made at once.
package memo

import (
	"context"
	"runtime"
	"sync"
)

// slots limits how many values all caches of the process make at once: making one may take many times the memory of the
// result.
var slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// Cache keeps values and drops any others to make room. A value never changes, so it is never stale. The zero value is ready
// to use. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]entry[V]
	size   int
	making map[K]chan struct{} // closed when the value was made, or could not be
}

type entry[V any] struct {
	value V
	size  int
}

// Get returns the value of a key, and makes it where it is missing. No key's value is made twice at a time. make returns the
// value and its size in bytes; where it fails nothing is kept. The sizes of all values together do not exceed bytes. make
// must not call Get of any cache.
func (c *Cache[K, V]) Get(ctx context.Context, key K, bytes int, make func(context.Context) (value V, size int, err error)) (value V, err error) {
	for {
		known, made, wait := c.claim(key)
		switch {
		case known:
			return made, nil
		case wait == nil:
			return c.fill(ctx, key, bytes, make)
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
}

// claim returns the value, or a channel to wait for while another caller makes it; neither where this caller is to make it.
func (c *Cache[K, V]) claim(key K) (known bool, value V, wait <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.values[key]; ok {
		return true, e.value, nil
	}
	if made, ok := c.making[key]; ok {
		return false, value, made
	}
	if c.making == nil {
		c.making = map[K]chan struct{}{}
	}
	c.making[key] = make(chan struct{})
	return false, value, nil
}

// fill makes the value of a claimed key and ends the claim.
func (c *Cache[K, V]) fill(ctx context.Context, key K, bytes int, make func(context.Context) (V, int, error)) (value V, err error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.making[key])
		delete(c.making, key)
	}()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return value, ctx.Err()
	}
	defer func() { <-slots }()
	value, size, err := make(ctx)
	if err == nil {
		c.put(key, value, size, bytes)
	}
	return value, err
}

// put keeps a value, unless it alone is larger than the cache.
func (c *Cache[K, V]) put(key K, value V, size, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if size > bytes {
		return
	}
	if c.values == nil {
		c.values = map[K]entry[V]{}
	}
	for other, old := range c.values {
		if c.size+size <= bytes {
			break
		}
		delete(c.values, other)
		c.size -= old.size
	}
	c.values[key] = entry[V]{value, size}
	c.size += size
}
