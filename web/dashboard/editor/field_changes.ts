// The changes of an edit that changed nothing but fields, as typing does. Parts that both guides share are not looked at, so that a key costs the same
// in a guide of any length.
import type { Change } from './changes';
import type { Guide } from './guide';
import { flat, isPlain, type Kind, keyOf, lists, type Plain, root, same } from './table';

export type FieldChange = Extract<Change, { kind: 'field' }>;

export const isField = (change: Change): change is FieldChange => change.kind === 'field';

/** Reports whether an id stands at more than one place, so that a key made of it names more than one node. */
function hasTwins(guide: Guide): boolean {
  const seen = new Set<string>();
  const isNew = (kind: string, id: string | undefined) => {
    const key = `${kind} ${id}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  return !guide.studyGuide.every((block) => isNew('block', block.externalId) && block.items.every((item) => isNew('item', item.externalId))
    && (block.conceptSamplingConfig?.concepts ?? []).every((concept) => isNew('concept', concept.externalId)));
}

/** Returns the changes that make one guide of another, or null where something was added, removed or moved. */
export function fieldChanges(from: Guide, to: Guide): FieldChange[] | null {
  if (hasTwins(to)) return null;
  const changes: FieldChange[] = [];
  const compare = (a: Plain, b: Plain, kind: Kind, key: string): boolean => {
    if (a === b) return true;
    const [before, after] = [flat(a, kind), flat(b, kind)];
    for (const [field, child] of lists[kind]) {
      const [old, now] = [before[field], after[field]];
      if (old === now) {
        delete before[field];
        delete after[field];
        continue;
      }
      if (!Array.isArray(old) || !Array.isArray(now) || old.length !== now.length || !old.every(isPlain) || !now.every(isPlain)) return false;
      const seen = new Set<string>();
      for (const [i, entry] of now.entries()) {
        const own = keyOf(child, key, entry.externalId, i);
        const was = old[i] as Plain;
        if (seen.has(own) || own !== keyOf(child, key, was.externalId, i) || !compare(was, entry, child, own)) return false;
        seen.add(own);
      }
      delete before[field];
      delete after[field];
    }
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (!same(before[field], after[field])) changes.push({ kind: 'field', node: key, field, from: before[field], to: after[field] });
    }
    return true;
  };
  return compare(from as unknown as Plain, to as unknown as Plain, 'guide', root) ? changes : null;
}

/** Returns changes as one with those that came before them. */
export function joined(earlier: readonly FieldChange[], later: readonly FieldChange[]): FieldChange[] {
  const all = new Map<string, FieldChange>();
  for (const change of [...earlier, ...later]) {
    const key = `${change.node}\n${change.field}`;
    const first = all.get(key);
    all.set(key, first ? { ...change, from: first.from } : change);
  }
  return [...all.values()].filter(({ from, to }) => !same(from, to));
}

/** Returns the changes that take changes back. */
export const reversed = (changes: readonly FieldChange[]): FieldChange[] => changes.map((change) => ({ ...change, from: change.to, to: change.from }));
