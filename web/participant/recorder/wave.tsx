import { useEffect, useRef } from 'preact/hooks';
import type { Level } from './level';

const calm = matchMedia('(prefers-reduced-motion: reduce)');
const bar = 3; // px, and as much between two
const step = 70; // ms between two bars

/** The voice as bars, the newest at the end of the line. With less motion they come once a second and do not glide. */
export function Wave({ level, still }: { level: Level | null; still: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const heard = useRef<number[]>([]);
  useEffect(() => {
    const at = canvas.current;
    const pen = at?.getContext('2d');
    if (!at || !pen) return undefined;
    let frame = 0;
    let last = 0;
    const draw = (now: number) => {
      frame = requestAnimationFrame(draw);
      const due = !still && now - last >= (calm.matches ? 1000 : step);
      if (!due && calm.matches && last > 0) return; // nothing has changed
      if (due) {
        last = now;
        heard.current.push(level?.read() ?? 0);
      }
      const { clientWidth: width, clientHeight: height } = at;
      const scale = devicePixelRatio;
      if (at.width !== width * scale || at.height !== height * scale) Object.assign(at, { width: width * scale, height: height * scale });
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.fillStyle = getComputedStyle(at).color;
      const most = Math.ceil(width / (2 * bar));
      heard.current = heard.current.slice(-most);
      const glide = calm.matches || still ? 0 : Math.min((now - last) / step, 1) * 2 * bar;
      const rtl = getComputedStyle(at).direction === 'rtl';
      for (let i = 0; i < most; i++) {
        const value = heard.current[heard.current.length - 1 - i] ?? 0;
        const tall = Math.max(value * height * .95, bar);
        const x = width - (i + 1) * 2 * bar - glide + bar;
        pen.globalAlpha = i < heard.current.length ? 1 : .3;
        pen.beginPath();
        pen.roundRect(rtl ? width - x - bar : x, (height - tall) / 2, bar, tall, bar / 2);
        pen.fill();
      }
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [level, still]);
  return <canvas ref={canvas} class="rec-wave" aria-hidden="true" />;
}
