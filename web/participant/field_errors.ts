import type { FieldError } from '../shared/draft';
import { mainField } from '../shared/draft';
import type { Issue } from '../shared/protocol';
import { answerErrorKey } from '../shared/rules';

/** Maps the server's issues to the page's error messages, each once. violationsOf in form.go does the same for the plain page. */
export function fieldErrorsOf(issues: Issue[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const key = answerErrorKey(issue);
    if (!errors.some((e) => e.key === key)) {
      errors.push({ key, n: Number(issue.expected) || 0, field: key === 'errCustom' ? 'custom-text' : mainField });
    }
  }
  return errors.length > 0 ? errors : [{ key: 'errOther', field: mainField }];
}
