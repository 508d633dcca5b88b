package results

import (
	"strings"
	"sync"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestLargeItemsWait: of many slow readers of a large item only as many hold it as fit in the memory limit; the others wait.
func TestLargeItemsWait(t *testing.T) {
	s := &Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	const size = 5 << 20
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		at, err := tx.NextUpdate(t.Context(), scene.Study.ID)
		if err != nil {
			return err
		}
		return tx.PutItem(t.Context(), store.Item{
			StudyID: scene.Study.ID, ReadableID: 1, ResponseID: store.NewID(), UpdatedAt: at, Analysed: true, Version: 1,
			List: []byte(strings.Repeat("x", size)), Single: []byte("{}"),
		})
	})
	const limit = maxLargeBytes / (size + chunkBytes)
	const readers = 2 * limit
	holding, release := make(chan struct{}, readers), make(chan struct{})
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			page, err := s.List(t.Context(), org.Caller{OrgID: scene.Org.ID}, scene.Study.ID, Filter{PerPage: 10})
			if err == nil {
				err = page.Each(t.Context(), func(list []byte) error {
					if len(list) != size {
						t.Errorf("got an item of %d bytes, want %d", len(list), size)
					}
					holding <- struct{}{}
					<-release
					return nil
				})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range limit {
		<-holding
	}
	if largeItems.TryAcquire(size + chunkBytes) {
		t.Errorf("there is memory for another reader beside %d", limit)
	}
	if len(holding) > 0 {
		t.Errorf("more than %d hold a large item", limit)
	}
	close(release)
	all.Wait()
	if len(holding) != readers-limit {
		t.Errorf("%d of %d waiting readers got the item", len(holding), readers-limit)
	}
	if !largeItems.TryAcquire(maxLargeBytes) {
		t.Fatal("the memory was not released")
	}
	largeItems.Release(maxLargeBytes)
}
