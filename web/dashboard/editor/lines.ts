// Where something stands in a text of JSON.

/** Returns the line and column, from 1, of an offset. */
export function lineOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

export interface Broken {
  line: number;
  column: number;
  offset: number;
}

const token = /\s+|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/uy;

/** Returns where a text stops being JSON, or null if all of it is. Engines word their errors differently, and not all give the place. */
export function brokenAt(text: string): Broken | null {
  const places = scan(text);
  return typeof places === 'number' ? { ...lineOf(text, places), offset: places } : null;
}

/** Returns the offset of each value by its place, such as studyGuide[0].title; or the offset of the first error. */
export function scan(text: string): Map<string, number> | number {
  const found = new Map<string, number>();
  const expression = new RegExp(token.source, token.flags);
  let at = 0;
  const peek = (): string => {
    for (;;) {
      expression.lastIndex = at;
      const match = expression.exec(text)?.[0] ?? '';
      if (match === '' || !/^\s/.test(match)) return match;
      at += match.length;
    }
  };
  const next = (wanted?: string): string => {
    const match = peek();
    if (match === '' || (wanted !== undefined && match !== wanted)) throw new RangeError();
    at += match.length;
    return match;
  };
  const list = (close: string, entry: (i: number) => void) => {
    if (peek() === close) return void next();
    for (let i = 0; ; i++) {
      entry(i);
      if (peek() === close) return void next();
      next(',');
    }
  };
  const value = (place: string) => {
    const first = peek();
    found.set(place, at);
    if (first === '{') {
      next();
      list('}', () => {
        if (!peek().startsWith('"')) throw new RangeError();
        const name = JSON.parse(next()) as string;
        next(':');
        value(place ? `${place}.${name}` : name);
      });
    } else if (first === '[') {
      next();
      list(']', (i) => value(`${place}[${i}]`));
    } else if (['}', ']', ',', ':', ''].includes(first)) {
      throw new RangeError();
    } else {
      next();
    }
  };
  try {
    value('');
    if (peek() !== '' || at < text.length) return at;
  } catch {
    return at;
  }
  return found;
}
