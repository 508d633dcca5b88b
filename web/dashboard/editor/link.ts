// The study link with parameters.

export interface Parameter {
  name: string;
  value: string;
  /** What stands for the value in a test. */
  test: string;
}

// Panels and mailing programs replace {{id}}, [ID] or %ID% in a link, so these stay as they are.
const placeholder = /\{\{?[\w.-]+\}?\}|\[%?[\w.-]+%?\]|%[A-Za-z_]{2,}%|\$\{?[\w.-]+\}?/g;

function encode(value: string): string {
  let [encoded, from] = ['', 0];
  for (const match of value.matchAll(placeholder)) {
    encoded += encodeURIComponent(value.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return encoded + encodeURIComponent(value.slice(from));
}

/** Returns a link with its parameters, those without a name or a value left out; with their test values if asked. */
export function withParameters(link: string, parameters: readonly Parameter[], test = false): string {
  const query: string[] = [];
  for (const { name, value, test: sample } of parameters) {
    const given = test && sample ? encodeURIComponent(sample) : encode(value);
    if (name.trim() && given) query.push(`${encodeURIComponent(name.trim())}=${given}`);
  }
  return query.length > 0 ? `${link}${link.includes('?') ? '&' : '?'}${query.join('&')}` : link;
}
