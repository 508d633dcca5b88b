import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mainField, orderOf } from './draft';
import type { WidgetProps } from './widget';
import { headingId } from './widget';
import { fill } from './words';

interface Drag {
  from: number;
  to: number;
  start: number;
  offset: number;
  tops: number[];
  height: number;
}

/**
 * A list that is ordered by dragging a line, by the two buttons of each line, or by the arrow keys on them. While a line is dragged only
 * transforms change; the order changes when it is dropped.
 */
export function Ranking({ question, draft, change, words, lang, describedBy }: WidgetProps) {
  const order = orderOf(question, draft);
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef('');
  const [drag, setDrag] = useState<Drag>();
  const [announced, setAnnounced] = useState('');
  const text = (id: string) => question.options?.find((o) => o.id === id)?.text ?? '';

  useLayoutEffect(() => {
    if (focus.current) document.getElementById(focus.current)?.focus();
    focus.current = '';
  });

  const move = (from: number, to: number) => {
    const id = order[from];
    if (id === undefined || to < 0 || to >= order.length) return;
    const next = order.filter((_, i) => i !== from);
    next.splice(to, 0, id);
    change({ ranking: next });
    setAnnounced(fill(words, 'rankMoved', { text: text(id), n: to + 1, total: order.length }));
  };
  const press = (from: number, by: -1 | 1) => {
    const to = from + by;
    if (to < 0 || to >= order.length) return;
    // The focus follows the line. At an end of the list it goes to the button that can still be used.
    const direction = to === 0 ? 'down' : to === order.length - 1 ? 'up' : by < 0 ? 'up' : 'down';
    focus.current = to === 0 ? mainField : `${direction}-${order[from]}`;
    move(from, to);
  };

  const grab = (e: PointerEvent, from: number) => {
    if (e.button !== 0 || (e.target as Element).closest('button')) return;
    const lines = [...(list.current?.children ?? [])].map((line) => line.getBoundingClientRect());
    const first = lines[0];
    if (!first) return;
    (e.currentTarget as Element).setPointerCapture(e.pointerId);
    const own = lines[from] ?? first;
    const gap = lines[1] ? lines[1].top - first.bottom : 0;
    setDrag({ from, to: from, start: e.clientY, offset: 0, tops: lines.map((l) => l.top + l.height / 2), height: own.height + gap });
  };
  const pull = (e: PointerEvent) => {
    if (!drag) return;
    const offset = e.clientY - drag.start;
    const middle = (drag.tops[drag.from] ?? 0) + offset;
    const to = drag.tops.filter((top, i) => i !== drag.from && (i < drag.from ? top < middle : top <= middle)).length;
    setDrag({ ...drag, offset, to });
  };
  const drop = (keep: boolean) => {
    if (drag && keep && drag.to !== drag.from) move(drag.from, drag.to);
    setDrag(undefined);
  };
  const shift = (i: number): string | undefined => {
    if (!drag) return undefined;
    if (i === drag.from) return `transform: translateY(${drag.offset}px)`;
    if (i > drag.from && i <= drag.to) return `transform: translateY(${-drag.height}px)`;
    if (i < drag.from && i >= drag.to) return `transform: translateY(${drag.height}px)`;
    return 'transform: translateY(0)';
  };

  return (
    <>
      <ol class={drag ? 'ranks dragging' : 'ranks'} ref={list} aria-labelledby={headingId} aria-describedby={describedBy}>
        {order.map((id, i) => (
          <li
            key={id}
            class={drag?.from === i ? 'held' : undefined}
            style={shift(i)}
            onPointerMove={pull}
            onPointerUp={() => drop(true)}
            onPointerCancel={() => drop(false)}
            onPointerDown={(e) => grab(e, i)}
          >
            <span class="grip" aria-hidden="true" />
            <span class="place" aria-hidden="true">{i + 1}</span>
            <span class="what" lang={lang.content} dir="auto">{text(id)}</span>
            {(['up', 'down'] as const).map((direction) => (
              <button
                key={direction}
                type="button"
                class={`step ${direction}`}
                id={i === 0 && direction === 'down' ? mainField : `${direction}-${id}`}
                aria-label={fill(words, direction === 'up' ? 'rankUp' : 'rankDown', { text: text(id) })}
                aria-disabled={(direction === 'up' ? i === 0 : i === order.length - 1) || undefined}
                onClick={() => press(i, direction === 'up' ? -1 : 1)}
                onKeyDown={(e) => {
                  const by = e.key === 'ArrowUp' ? -1 : e.key === 'ArrowDown' ? 1 : 0;
                  if (by === 0) return;
                  e.preventDefault();
                  press(i, by);
                }}
              />
            ))}
          </li>
        ))}
      </ol>
      <p class="unseen" role="status">{announced}</p>
    </>
  );
}
