// Differences of guides as changes that can be applied to another version. One rule serves merging and undoing: a change is applied where
// its target still is as the change found it; otherwise somebody else was there, and it is left to a person.
import { copyTable, type Kind, listKey, type Node, same, subtree, type Table } from './table';

interface Place {
  parent: string;
  /** The key of the node before it; null for the first. */
  after: string | null;
  index: number;
}

export interface Added {
  key: string;
  kind: Kind;
  parent: string;
  fields: Record<string, unknown>;
}

export type Change =
  | { kind: 'field'; node: string; field: string; from?: unknown; to?: unknown }
  /** The first of nodes is the top, and all others are below it. */
  | { kind: 'add'; node: string; nodes: Added[]; place: Place }
  | { kind: 'remove'; node: string; nodes: Added[]; place: Place }
  | { kind: 'move'; node: string; from: Place; to: Place };

export interface Conflict {
  change: Change;
  /** changed: the field, or something of what is to be removed, is another by now. gone: what is to be changed was removed. */
  why: 'changed' | 'gone';
  /** What the field is now. */
  theirs?: unknown;
}

const children = (table: Table, parent: string, kind: Kind): string[] => table.lists.get(listKey(parent, kind)) ?? [];

function placeOf(table: Table, key: string): Place {
  const { parent, kind } = table.nodes.get(key) as Node;
  const list = children(table, parent, kind);
  const index = list.indexOf(key);
  return { parent, after: list[index - 1] ?? null, index };
}

// newTops returns the nodes of a table that another lacks, without those below one of them.
function newTops(table: Table, other: Table): string[] {
  return [...table.nodes].filter(([key, node]) => key !== '' && !other.nodes.has(key) && (node.parent === '' || other.nodes.has(node.parent))).map(([key]) => key);
}

const added = (table: Table, key: string, other: Table): Added[] => subtree(table, key).filter((each) => !other.nodes.has(each)).map((each) => {
  const node = table.nodes.get(each) as Node;
  return { key: each, kind: node.kind, parent: node.parent, fields: { ...node.fields } };
});

/** Returns the positions of a longest increasing subsequence. */
function longestRise(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [i, value] of values.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = i;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] as number) kept.add(at);
  return kept;
}

/** Returns the changes that make a table of another one, the fewest moves among them. */
export function diff(from: Table, to: Table): Change[] {
  const changes: Change[] = [];
  const tops = new Set(newTops(to, from));
  const moved = new Set<string>();
  for (const list of to.lists.values()) {
    const stayed = list.filter((key) => from.nodes.has(key) && from.nodes.get(key)?.parent === to.nodes.get(key)?.parent);
    const kind = to.nodes.get(list[0] ?? '')?.kind;
    if (!kind) continue;
    const before = new Map(children(from, to.nodes.get(list[0] as string)?.parent ?? '', kind).map((key, i) => [key, i]));
    const kept = longestRise(stayed.map((key) => before.get(key) ?? 0));
    for (const [i, key] of stayed.entries()) if (!kept.has(i)) moved.add(key);
    for (const key of list) if (from.nodes.has(key) && from.nodes.get(key)?.parent !== to.nodes.get(key)?.parent) moved.add(key);
  }
  for (const key of subtree(to, '')) {
    if (tops.has(key)) changes.push({ kind: 'add', node: key, nodes: added(to, key, from), place: placeOf(to, key) });
    else if (moved.has(key)) changes.push({ kind: 'move', node: key, from: placeOf(from, key), to: placeOf(to, key) });
  }
  for (const [key, node] of to.nodes) {
    const before = from.nodes.get(key);
    if (!before) continue;
    for (const field of new Set([...Object.keys(before.fields), ...Object.keys(node.fields)])) {
      if (!same(before.fields[field], node.fields[field])) changes.push({ kind: 'field', node: key, field, from: before.fields[field], to: node.fields[field] });
    }
  }
  for (const key of newTops(from, to)) changes.push({ kind: 'remove', node: key, nodes: added(from, key, to), place: placeOf(from, key) });
  return changes;
}

function insert(table: Table, key: string, kind: Kind, { parent, after, index }: Place): void {
  const list = children(table, parent, kind);
  const at = after === null ? 0 : list.indexOf(after) + 1;
  list.splice(after !== null && at === 0 ? Math.min(index, list.length) : at, 0, key);
  table.lists.set(listKey(parent, kind), list);
}

function detach(table: Table, key: string): void {
  const { parent, kind } = table.nodes.get(key) as Node;
  table.lists.set(listKey(parent, kind), children(table, parent, kind).filter((each) => each !== key));
}

// applyOne changes a table, and returns why it did not.
function applyOne(table: Table, change: Change): Conflict | null {
  const node = table.nodes.get(change.node);
  const refuse = (why: Conflict['why'], theirs?: unknown): Conflict => ({ change, why, theirs });
  switch (change.kind) {
    case 'field': {
      if (!node) return refuse('gone');
      const now = node.fields[change.field];
      if (same(now, change.to)) return null;
      if (!same(now, change.from)) return refuse('changed', now);
      if (change.to === undefined) delete node.fields[change.field];
      else node.fields[change.field] = change.to;
      return null;
    }
    case 'add': {
      if (node) return change.nodes.every(({ key, fields }) => same(table.nodes.get(key)?.fields, fields)) ? null : refuse('changed');
      if (!table.nodes.has(change.place.parent)) return refuse('gone');
      for (const { key, kind, parent, fields } of change.nodes) {
        if (table.nodes.has(key)) continue;
        table.nodes.set(key, { kind, parent, fields: { ...fields } });
        const list = children(table, parent, kind);
        insert(table, key, kind, key === change.node ? change.place : { parent, after: list.at(-1) ?? null, index: list.length });
      }
      return null;
    }
    case 'move':
      if (!node || !table.nodes.has(change.to.parent)) return refuse('gone');
      if (node.parent !== change.from.parent && node.parent !== change.to.parent) return refuse('changed');
      detach(table, change.node);
      node.parent = change.to.parent;
      insert(table, change.node, node.kind, change.to);
      return null;
    case 'remove': {
      if (!node) return null;
      const gone = new Map(change.nodes.map((each) => [each.key, each]));
      const now = subtree(table, change.node);
      if (now.some((key) => !gone.has(key) || !same(table.nodes.get(key)?.fields, gone.get(key)?.fields))) return refuse('changed');
      detach(table, change.node);
      for (const key of now) {
        const { kind } = table.nodes.get(key) as Node;
        table.nodes.delete(key);
        for (const child of ['item', 'concept', 'option'] as const) if (kind !== child) table.lists.delete(listKey(key, child));
      }
      return null;
    }
  }
}

/** Returns a table with changes applied, and those that were not because somebody else changed the same. */
export function apply(table: Table, changes: readonly Change[]): { table: Table; conflicts: Conflict[] } {
  const next = copyTable(table);
  const conflicts = changes.map((change) => applyOne(next, change)).filter((conflict) => conflict !== null);
  return { table: next, conflicts };
}
