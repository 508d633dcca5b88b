// Saves a chart as an SVG file that looks the same elsewhere.

const kept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'font-family', 'font-size', 'font-weight', 'opacity'] as const;
const space = 'http://www.w3.org/2000/svg';
const head = 46;

/** Returns a drawing with its colours and letters written into it, below a title and a line of small print. */
export function standalone(drawing: SVGSVGElement, title: string, small: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const before = [...drawing.querySelectorAll<SVGElement>('*')];
  [...copy.querySelectorAll<SVGElement>('*')].forEach((element, i) => {
    const from = before[i];
    if (!from) return;
    const style = getComputedStyle(from);
    for (const name of kept) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
    element.removeAttribute('data-href');
  });
  const [width, height] = [Number(drawing.getAttribute('width')), Number(drawing.getAttribute('height'))];
  const body = getComputedStyle(document.body);
  const paper = document.createElementNS(space, 'rect');
  const put = (element: Element, values: Record<string, string | number>) => { for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value)); };
  put(paper, { x: -12, y: -head, width: width + 24, height: height + head + 8, fill: getComputedStyle(drawing.closest('.card') ?? document.body).backgroundColor });
  const lines = [[title, 15, 600], [small, 12, 400]] as const;
  copy.prepend(paper, ...lines.map(([words, size, weight], i) => {
    const line = document.createElementNS(space, 'text');
    put(line, { x: 0, y: -head + 20 + i * 18, fill: body.color, 'font-size': size, 'font-weight': weight, 'font-family': body.fontFamily });
    line.textContent = words;
    return line;
  }));
  put(copy, { viewBox: `-12 ${-head} ${width + 24} ${height + head + 8}`, width: width + 24, height: height + head + 8, xmlns: space });
  copy.removeAttribute('aria-hidden');
  return new XMLSerializer().serializeToString(copy);
}

/** Lets the browser save a file. */
export function save(name: string, type: string, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
