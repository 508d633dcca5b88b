// Joining two versions of a guide that came of the same one.
import { apply, type Change, type Conflict, diff } from './changes';
import type { Guide } from './guide';
import { copyTable, guideOf, listKey, type Node, root, subtree, type Table, tableOf } from './table';

/** Something that two people changed in different ways. The guide has theirs until a person decides. */
export interface Dispute {
  /** The key of the node that it is about. */
  node: string;
  /** Its field, or "" if the node as a whole was removed by one and changed by the other. */
  field: string;
  why: 'field' | 'theyRemoved' | 'iRemoved' | 'place';
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** What brings back what they removed, or takes away what I removed. */
  change: Change;
}

export interface Merged {
  guide: Guide;
  disputes: Dispute[];
  /** How many changes of theirs came in. */
  incoming: number;
}

// restore returns the change that adds the topmost node that is missing above a key.
function restore(key: string, mine: Table, theirs: Table): Change | null {
  let top = key;
  for (let node = mine.nodes.get(top); node && node.parent !== root && !theirs.nodes.has(node.parent); node = mine.nodes.get(top)) top = node.parent;
  const node = mine.nodes.get(top);
  if (!node) return null;
  const list = mine.lists.get(listKey(node.parent, node.kind)) ?? [];
  const index = list.indexOf(top);
  const nodes = subtree(mine, top).map((each) => ({ key: each, ...(mine.nodes.get(each) as Node) }));
  return { kind: 'add', node: top, nodes, place: { parent: node.parent, after: list[index - 1] ?? null, index } };
}

function disputeOf({ change, why, theirs }: Conflict, mine: Table, other: Table): Dispute | null {
  if (change.kind === 'field' && why === 'changed') return { node: change.node, field: change.field, why: 'field', base: change.from, mine: change.to, theirs, change };
  if (change.kind === 'remove') return { node: change.node, field: '', why: 'iRemoved', base: undefined, mine: undefined, theirs: undefined, change };
  if (why === 'changed') return { node: change.node, field: '', why: 'place', base: undefined, mine: undefined, theirs: undefined, change };
  const back = restore(change.node, mine, other);
  return back && { node: back.node, field: '', why: 'theyRemoved', base: undefined, mine: undefined, theirs: undefined, change: back };
}

/** Returns their version with my changes since base, and what cannot be joined. */
export function merge(base: Guide, mine: Guide, theirs: Guide): Merged {
  const [before, own, other] = [tableOf(base), tableOf(mine), tableOf(theirs)];
  const { table, conflicts } = apply(other, diff(before, own));
  const disputes: Dispute[] = [];
  for (const conflict of conflicts) {
    const dispute = disputeOf(conflict, own, table);
    if (dispute && !disputes.some(({ node, field }) => node === dispute.node && field === dispute.field)) disputes.push(dispute);
  }
  return { guide: guideOf(table), disputes, incoming: diff(before, other).length };
}

/** Returns the guide after a person has decided a dispute. */
export function settle(guide: Guide, { node, field, why, base, mine, theirs, change }: Dispute, choice: 'mine' | 'theirs' | 'base'): Guide {
  if (choice === 'theirs' && why !== 'field') return guide;
  const table = copyTable(tableOf(guide));
  const target = table.nodes.get(node);
  if (why === 'field') {
    if (!target) return guide;
    const value = { mine, theirs, base }[choice];
    if (value === undefined) delete target.fields[field];
    else target.fields[field] = value;
    return guideOf(table);
  }
  if (why === 'iRemoved' && target) {
    const nodes = subtree(table, node).map((key) => ({ key, ...(table.nodes.get(key) as Node) }));
    return guideOf(apply(table, [{ ...change, nodes } as Change]).table);
  }
  if (change.kind === 'move' && target) return guideOf(apply(table, [{ ...change, from: { ...change.from, parent: target.parent } }]).table);
  return guideOf(apply(table, [change]).table);
}
