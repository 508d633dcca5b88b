package plaintext

import (
	"fmt"
	"runtime"
)

// DescribePanic describes a panic value for the log: in full if the runtime raised it, and otherwise by its type, since its
// text may quote what a participant sent. The stack shows the place.
func DescribePanic(p any) string {
	if runtimeErr, ours := p.(runtime.Error); ours {
		return runtimeErr.Error()
	}
	return fmt.Sprintf("%T", p)
}
