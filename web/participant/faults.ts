import type { Fault } from '../shared/draft';
import { mainField } from '../shared/draft';
import type { Issue } from '../shared/protocol';

/** What the server found wrong, in the page's phrases, each once. errorKey of form.go says the same for the plain page. */
export function faultsOf(issues: Issue[]): Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    const key = keyOf(issue.path[0] ?? '', issue);
    if (!faults.some((f) => f.key === key)) {
      faults.push({ key, n: Number(issue.expected) || 0, field: key === 'errCustom' ? 'custom-text' : mainField });
    }
  }
  return faults.length > 0 ? faults : [{ key: 'errOther', field: mainField }];
}

function keyOf(field: string, { code, expected }: Issue): string {
  if (code === 'too_big' && field !== 'selected') return 'errLong';
  switch (`${field} ${code}`) {
    case 'text too_small':
      return 'errText';
    case 'customText too_small':
      return 'errCustom';
    case 'selected too_small':
      return expected === '1' ? 'errOne' : 'errAtLeast';
    case 'selected too_big':
      return 'errAtMost';
    case 'selected custom':
      return 'errExclusive';
    case 'worst custom':
      return 'errDifferent';
  }
  return { cells: 'errRows', best: 'errBestWorst', worst: 'errBestWorst', uploads: 'errUpload', recordings: 'errRecord' }[field] ?? 'errOther';
}
