package plaintext

import (
	"fmt"
	"runtime"
)

// DescribePanic returns for the log what code panicked with: in full when the runtime said it, and otherwise by its type, since
// the words may quote what a participant sent. The stack shows the place.
func DescribePanic(p any) string {
	if violation, ours := p.(runtime.Error); ours {
		return violation.Error()
	}
	return fmt.Sprintf("%T", p)
}
