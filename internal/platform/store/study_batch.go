package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// studyBatcher commits the transactions of one study that this process has ready at the same time as one, on PostgreSQL.
// Otherwise each of them would wait for the study's row until the one before it is on disk. A transaction that becomes ready
// during a commit goes into the next one, so none waits for others to arrive. If the server refuses a combined
// transaction, each part is sent alone.
type studyBatcher struct {
	mu      sync.Mutex
	waiting map[string][]*part // by study; a key exists while a commit of the study is under way
}

// part is one of several transactions that are committed as one.
type part struct {
	queue  []queued
	wallet walletLock
	done   chan struct{}

	// Valid when done is closed.
	err    error // of the commit
	failed error // of a statement in it
	alone  bool  // the combined transaction was refused and nothing is stored: send this part alone
}

// walletLock says which rows of a wallet a transaction locks. Parts are sent in this order, so that a combined transaction,
// too, locks a grant before an account.
type walletLock int

const (
	noWalletLock walletLock = iota
	grantLock               // the grant, and accounts
	accountLock             // accounts only
)

// allowBatch notes that the transaction locks one study only, and may be committed together with others of it.
func (tx *Tx) allowBatch(studyID string) {
	if tx.pipeline != nil {
		tx.pipeline.study = studyID
	}
}

// maxParts bounds how many transactions are committed as one.
const maxParts = 64

// commit commits a part together with others of its study.
func (b *studyBatcher) commit(ctx context.Context, s *Store, studyID string, p *part) error {
	p.done = make(chan struct{})
	b.mu.Lock()
	_, busy := b.waiting[studyID]
	if b.waiting == nil {
		b.waiting = map[string][]*part{}
	}
	b.waiting[studyID] = append(b.waiting[studyID], p)
	b.mu.Unlock()
	if !busy {
		go b.run(s, studyID)
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return ctx.Err() // it may still be committed, as after any commit that its caller stopped waiting for
	}
}

// run commits the parts of a study until none waits.
func (b *studyBatcher) run(s *Store, studyID string) {
	for {
		b.mu.Lock()
		all := b.waiting[studyID]
		if len(all) == 0 {
			delete(b.waiting, studyID)
			b.mu.Unlock()
			return
		}
		n := min(len(all), maxParts)
		b.waiting[studyID] = all[n:]
		b.mu.Unlock()
		s.commitParts(all[:n:n])
	}
}

// commitParts commits parts as one transaction, even when some of their callers no longer wait.
func (s *Store) commitParts(parts []*part) {
	slices.SortStableFunc(parts, func(a, b *part) int { return cmp.Compare(a.wallet, b.wallet) })
	ctx, cancel := context.WithTimeout(context.Background(), s.wait+time.Second)
	defer cancel()
	p := s.newPipeline(time.Now().Add(s.wait))
	for _, one := range parts {
		p.queue = append(p.queue, one.queue...)
	}
	err := p.commit(ctx, s.dialect)
	p.release()
	for _, one := range parts {
		one.err, one.failed = err, p.failed
		one.alone = err != nil && len(parts) > 1 && !MayBeCommitted(err)
		close(one.done)
	}
}
