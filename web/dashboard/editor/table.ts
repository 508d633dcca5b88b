// A guide as a table of nodes, each under a key made of ids: what is compared, merged and undone is a field of a node, or its place.
import type { Guide } from './guide';

export type Kind = 'guide' | 'block' | 'item' | 'concept' | 'option';

export interface Node {
  kind: Kind;
  /** The key of the node that it belongs to; "" for blocks and the guide. */
  parent: string;
  fields: Record<string, unknown>;
}

export interface Table {
  nodes: Map<string, Node>;
  /** The keys of a node's children of one kind, under listKey. */
  lists: Map<string, string[]>;
}

export type Plain = Record<string, unknown>;
export const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key of the guide itself. */
export const root = '';

export const listKey = (parent: string, kind: Kind): string => `${kind} ${parent}`;

/** Objects whose keys are fields of their own, and lists whose entries are nodes. */
const nested: Record<Kind, readonly string[]> = { guide: ['config', 'welcomeMessage'], block: ['conceptSamplingConfig'], concept: ['content'], item: [], option: [] };
export const lists: Record<Kind, readonly (readonly [field: string, child: Kind])[]> = {
  guide: [['studyGuide', 'block']], block: [['items', 'item'], ['conceptSamplingConfig.concepts', 'concept']], item: [['options', 'option']], concept: [], option: [],
};

/** The order of keys in the JSON that people read. Others follow. */
const order = [
  'title', 'externalTitle', 'background', 'studyGoal', 'config', 'welcomeMessage', 'closingMessage', 'type', 'text', 'nickname', 'externalId', 'message', 'description', 'operator', 'status',
  'exclusiveOption', 'followUp', 'addInstructions', 'preferredInput', 'screenObservationEnabled', 'multiSelect', 'minSelect', 'maxSelect', 'allowCustomOption', 'randomizeOptionOrder',
  'pinnedFinalOption', 'metric', 'itemsPerScreen', 'continueButtonText', 'carryForwardFrom', 'content', 'options', 'rows', 'media', 'embed', 'conditional', 'subsampleCount', 'concepts',
  'conceptSamplingConfig', 'items', 'studyGuide',
];

function rankOf(name: string): number {
  const rank = order.indexOf(name.split('.')[0] ?? '');
  return rank < 0 ? order.length : rank;
}

/** Returns the key of a node that has an id, or that stands at a position. */
export function keyOf(kind: Kind, parent: string, id: unknown, index: number): string {
  const own = typeof id === 'string' && id !== '' ? id : `#${index}`;
  if (kind === 'option') return `option ${parent}/${own}`;
  return own.startsWith('#') ? `${kind} ${parent}${own}` : `${kind} ${own}`;
}

/** Returns the fields of a value as a node has them, with its lists of nodes as they are. */
export function flat(value: Plain, kind: Kind): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    if (nested[kind].includes(name) && isPlain(field)) {
      fields[name] = {};
      for (const [inner, deep] of Object.entries(field)) if (deep !== undefined) fields[`${name}.${inner}`] = deep;
    } else {
      fields[name] = field;
    }
  }
  return fields;
}

/** Returns the table of a guide. An id that occurs again gets a key of its own. */
export function tableOf(guide: Guide): Table {
  const table: Table = { nodes: new Map(), lists: new Map() };
  const add = (value: Plain, kind: Kind, parent: string, key: string) => {
    const fields = flat(value, kind);
    table.nodes.set(key, { kind, parent, fields });
    for (const [field, child] of lists[kind]) {
      const entries = fields[field];
      if (!Array.isArray(entries) || !entries.every(isPlain)) continue;
      fields[field] = true; // there is such a list
      table.lists.set(listKey(key, child), entries.map((entry, i) => {
        let own = keyOf(child, key, entry.externalId, i);
        while (table.nodes.has(own)) own += '#';
        add(entry, child, key, own);
        return own;
      }));
    }
  };
  add(guide as unknown as Plain, 'guide', '', root);
  return table;
}

/** Returns the guide of a table, its keys in the order in which people read them. */
export function guideOf(table: Table): Guide {
  const build = (key: string): Plain => {
    const node = table.nodes.get(key);
    if (!node) return {};
    const fields = { ...node.fields };
    for (const [field, child] of lists[node.kind]) {
      const keys = table.lists.get(listKey(key, child)) ?? [];
      if (fields[field] === true || keys.length > 0) fields[field] = keys.map(build);
    }
    const value: Plain = {};
    for (const name of Object.keys(fields).sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))) {
      const [outer = '', inner] = name.split('.');
      if (inner === undefined || !nested[node.kind].includes(outer)) {
        if (!(nested[node.kind].includes(name) && isPlain(fields[name]))) value[name] = fields[name];
        else if (!isPlain(value[name])) value[name] = {};
        continue;
      }
      const object = isPlain(value[outer]) ? (value[outer] as Plain) : {};
      object[inner] = fields[name];
      value[outer] = object;
    }
    return value;
  };
  return build(root) as unknown as Guide;
}

/** Returns a copy that can be changed. */
export function copyTable({ nodes, lists: before }: Table): Table {
  return { nodes: new Map([...nodes].map(([key, node]) => [key, { ...node, fields: { ...node.fields } }])), lists: new Map([...before].map(([key, list]) => [key, [...list]])) };
}

/** Reports whether two values of JSON are the same; keys with undefined do not count. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => same(value, b[i]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => same(a[name], b[name]));
}

/** Returns a node and all below it, parents first. */
export function subtree(table: Table, key: string): string[] {
  const node = table.nodes.get(key);
  if (!node) return [];
  return [key, ...lists[node.kind].flatMap(([, child]) => (table.lists.get(listKey(key, child)) ?? []).flatMap((entry) => subtree(table, entry)))];
}
