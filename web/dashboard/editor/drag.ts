// Dragging blocks and items in the outline, beside the keys and buttons that move them.
import { useState } from 'preact/hooks';
import type { Editing } from './editing';
import { moveBeside } from './outline';

const type = 'application/x-verbatim-outline';

export interface Drop {
  id: string;
  where: 'before' | 'after';
}

const rowOf = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-drag]') : null);

/** Returns where what is dragged would go, and the handlers of the list. */
export function useDrag(editing: Editing) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const end = () => {
    setDragged(null);
    setDrop(null);
  };
  const find = (event: DragEvent): Drop | null => {
    const row = rowOf(event.target);
    const id = row?.dataset.drag;
    if (!row || !id || dragged === null || id === dragged) return null;
    const { top, height } = row.getBoundingClientRect();
    return { id, where: event.clientY < top + height / 2 ? 'before' : 'after' };
  };
  return {
    drop,
    handlers: {
      onDragStart: (event: DragEvent) => {
        const id = rowOf(event.target)?.dataset.drag;
        if (!id || !event.dataTransfer) return;
        event.dataTransfer.setData(type, id);
        event.dataTransfer.effectAllowed = 'move';
        setDragged(id);
      },
      onDragOver: (event: DragEvent) => {
        const found = find(event);
        if (found) event.preventDefault();
        if (found?.id !== drop?.id || found?.where !== drop?.where) setDrop(found);
      },
      onDragEnd: end,
      onDrop: (event: DragEvent) => {
        const found = find(event);
        if (found && dragged !== null) {
          event.preventDefault();
          editing.edit((guide) => moveBeside(guide, dragged, found.id, found.where));
          editing.focus(`outline ${dragged}`, '');
        }
        end();
      },
    },
  };
}
