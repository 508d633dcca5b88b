import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { printed, wrap } from './report';

export interface Bar {
  value: number | null;
  low?: number | null;
  high?: number | null;
  /** What is printed beside it. */
  text: string;
  /** Which of the colours of groups. */
  tone: number;
}

export interface Row {
  label: string;
  bars: Bar[];
  /** The address that a press on the label opens. */
  href?: string;
}

interface Props {
  rows: readonly Row[];
  kind: 'bar' | 'dot';
  /** The end of the axis. */
  max: number;
  unit: string;
  /** What the axis shows, in words. */
  axis: string;
  /** Where a dashed line stands. */
  reference?: number;
}

const [lineHeight, barHeight, between, side] = [16, 20, 10, 7];

/** Bars or points in rows, with their intervals, drawn from cells. A table beside it says the same, so assistive technology skips it. */
export function Chart({ rows, kind, max, unit, axis, reference }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  useLinks(box);
  const narrow = width < 520;
  const labelled = narrow ? 0 : Math.min(Math.round(width * 0.36), 320);
  const longest = Math.max(0, ...rows.flatMap(({ bars }) => bars.map(({ text }) => text.length)));
  const beside = Math.min(Math.round(width * (narrow ? 0.5 : 0.32)), longest * side + 12);
  const [from, to] = [labelled + (narrow ? 2 : 12), width - beside - 8];
  const x = (value: number) => from + ((to - from) * Math.max(0, Math.min(max, value))) / (max || 1);
  let y = 6;
  const placed = rows.map((row) => {
    const lines = wrap(row.label, Math.floor((narrow ? width : labelled) / side), narrow ? 4 : 3);
    const bars = row.bars.length * barHeight;
    const height = narrow ? lines.length * lineHeight + 4 + bars : Math.max(lines.length * lineHeight, bars);
    const at = { row, lines, top: y, bars: narrow ? y + lines.length * lineHeight + 4 : y + (height - bars) / 2, text: narrow ? y : y + (height - lines.length * lineHeight) / 2 };
    y += height + between;
    return at;
  });
  const bottom = y;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * max).filter((tick) => Number.isInteger(tick));
  const caption = wrap(axis, Math.max(20, Math.floor(width / 6.2)), 3);
  const height = bottom + 22 + caption.length * 15;
  return (
    <div class="chart" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={x(tick)} x2={x(tick)} y1={2} y2={bottom} />
            <text class="tick" x={x(tick)} y={bottom + 14} text-anchor={narrow && tick === 0 ? 'start' : 'middle'}>{printed(tick, 0)}{unit}</text>
          </g>
        ))}
        {reference !== undefined && <line class="reference" x1={x(reference)} x2={x(reference)} y1={2} y2={bottom} />}
        {placed.map(({ row, lines, bars, text }, i) => (
          <g key={i} class="series">
            <Label lines={lines} y={text} href={row.href} title={row.label} />
            {row.bars.map((bar, k) => <Mark key={k} bar={bar} kind={kind} x={x} middle={bars + k * barHeight + barHeight / 2} right={to + 8} />)}
          </g>
        ))}
        {caption.map((line, i) => <text key={i} class="tick" x={0} y={bottom + 34 + i * 15}>{line}</text>)}
      </svg>
    </div>
  );
}

function Label({ lines, y, href, title }: { lines: string[]; y: number; href: string | undefined; title: string }) {
  return (
    <text class={href ? 'label link' : 'label'} y={y} data-href={href}>
      <title>{title}</title>
      {lines.map((line, i) => <tspan key={i} x={0} y={y + i * lineHeight + 13}>{line}</tspan>)}
    </text>
  );
}

interface MarkProps {
  bar: Bar;
  kind: 'bar' | 'dot';
  x: (value: number) => number;
  middle: number;
  right: number;
}

function Mark({ bar, kind, x, middle, right }: MarkProps) {
  const { value, low, high } = bar;
  const interval = low !== null && low !== undefined && high !== null && high !== undefined;
  return (
    <>
      {value !== null && kind === 'bar' && <rect class={`length tone-${bar.tone % 5}`} x={x(0)} y={middle - 7} width={Math.max(value > 0 ? 1.5 : 0, x(value) - x(0))} height={14} rx={2} />}
      {interval && (
        <g class="whisker">
          <path class="halo" d={`M${x(low)} ${middle}H${x(high)}`} />
          <path d={`M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8`} />
        </g>
      )}
      {value !== null && kind === 'dot' && <circle class={`dot tone-${bar.tone % 5}`} cx={x(value)} cy={middle} r={5} />}
      <text class="value" x={right} y={middle + 4}>{bar.text}</text>
    </>
  );
}

/** Follows the addresses of labels that are pressed. The keyboard has the list of answers that can be counted alone. */
function useLinks(box: { readonly current: HTMLDivElement | null }): void {
  const { route } = useLocation();
  useEffect(() => {
    const element = box.current;
    const open = (event: Event) => {
      const href = event.target instanceof Element ? event.target.closest<SVGElement>('[data-href]')?.dataset.href : undefined;
      if (href) route(href);
    };
    element?.addEventListener('click', open);
    return () => element?.removeEventListener('click', open);
  }, [box, route]);
}

/** Returns the width of an element, and follows it. */
function useWidth(box: { readonly current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setWidth(Math.max(240, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
