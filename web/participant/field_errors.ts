import type { FieldError } from '../shared/draft';
import { mainField } from '../shared/draft';
import type { Issue } from '../shared/protocol';

/** Maps the server's issues to the page's error messages, each once. errorKey in form.go does the same for the plain page. */
export function fieldErrorsOf(issues: Issue[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const key = keyOf(issue.path[0] ?? '', issue);
    if (!errors.some((e) => e.key === key)) {
      errors.push({ key, n: Number(issue.expected) || 0, field: key === 'errCustom' ? 'custom-text' : mainField });
    }
  }
  return errors.length > 0 ? errors : [{ key: 'errOther', field: mainField }];
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
