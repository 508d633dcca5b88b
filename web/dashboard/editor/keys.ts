// The keys of the editor, which work in its fields as well.
import { useEffect } from 'preact/hooks';
import type { Editing } from './editing';
import { showProblem } from './problem_panel';
import { nextProblem } from './problems';

/** Undo, redo and the next problem, while the editor is shown. */
export function useEditorKeys(editing: Editing): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return;
      if (event.key === 'F8') {
        const problem = nextProblem(editing.copy.problems.value, editing.problem.value, event.shiftKey ? -1 : 1);
        if (problem) showProblem(editing, problem);
      } else if ((event.ctrlKey || event.metaKey) && !event.altKey && !ownUndo(event.target)) {
        const key = event.key.toLowerCase();
        if (key === 'z' && !event.shiftKey) editing.copy.undo();
        else if (key === 'y' || key === 'z') editing.copy.redo();
        else return;
      } else {
        return;
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [editing]);
}

// ownUndo reports whether a field keeps its text to itself, so that the browser's undo is the right one.
const ownUndo = (target: EventTarget | null) => target instanceof HTMLElement && (target.dataset.ownUndo !== undefined || target.isContentEditable);
