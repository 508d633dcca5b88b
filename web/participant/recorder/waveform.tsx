import { useEffect, useRef } from 'preact/hooks';
import type { Level } from './level';

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const bar = 3; // px, the width of a bar and of the gap between two
const interval = 70; // ms between two bars

/** Draws the level over time as bars, the newest at the line's end. With reduced motion a bar is added each second, and bars do not glide. */
export function Waveform({ level, paused }: { level: Level | null; paused: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const levels = useRef<number[]>([]);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return undefined;
    let frame = 0;
    let last = 0;
    const draw = (now: number) => {
      frame = requestAnimationFrame(draw);
      const due = !paused && now - last >= (reducedMotion.matches ? 1000 : interval);
      if (!due && reducedMotion.matches && last > 0) return; // nothing has changed
      if (due) {
        last = now;
        levels.current.push(level?.read() ?? 0);
      }
      const { clientWidth: width, clientHeight: height } = element;
      const scale = devicePixelRatio;
      if (element.width !== width * scale || element.height !== height * scale) Object.assign(element, { width: width * scale, height: height * scale });
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      context.fillStyle = getComputedStyle(element).color;
      const maxBars = Math.ceil(width / (2 * bar));
      levels.current = levels.current.slice(-maxBars);
      const glide = reducedMotion.matches || paused ? 0 : Math.min((now - last) / interval, 1) * 2 * bar;
      const rtl = getComputedStyle(element).direction === 'rtl';
      for (let i = 0; i < maxBars; i++) {
        const value = levels.current[levels.current.length - 1 - i] ?? 0;
        const barHeight = Math.max(value * height * .95, bar);
        const x = width - (i + 1) * 2 * bar - glide + bar;
        context.globalAlpha = i < levels.current.length ? 1 : .3;
        context.beginPath();
        context.roundRect(rtl ? width - x - bar : x, (height - barHeight) / 2, bar, barHeight, bar / 2);
        context.fill();
      }
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [level, paused]);
  return <canvas ref={canvas} class="rec-wave" aria-hidden="true" />;
}
