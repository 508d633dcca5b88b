// The rules that the app shares with the server's plain pages. They stand in rules.json, which internal/api/pages/rules.go reads, too.
import type { ErrorCode, Issue } from './protocol';
import rules from './rules.json';

interface AnswerErrorRule {
  /** The field and code of the issue, and what was expected; any where they are left out. */
  field?: string;
  code?: string;
  expected?: string;
  /** The key of the error message. */
  words: string;
}

const answerErrors: AnswerErrorRule[] = rules.answerErrors;
const fileErrors: Partial<Record<ErrorCode, { app: string }>> = rules.fileErrors;
const notices: Partial<Record<ErrorCode, string>> = rules.notices;

/** Returns the key of the message for an issue of an answer. The first rule that fits decides. */
export function answerErrorKey({ path, code, expected }: Issue): string {
  const field = path[0] ?? '';
  const fits = (rule: AnswerErrorRule) => (rule.field ?? field) === field && (rule.code ?? code) === code && (rule.expected ?? expected) === expected;
  return answerErrors.find(fits)?.words ?? 'errOther';
}

/** Returns the key of the message for an error code that refuses a file; undefined where it has none of its own. */
export const fileErrorKey = (code: string): string | undefined => fileErrors[code as ErrorCode]?.app;

/** Returns the prefix of the words of the notice for an error code that ends the interview on this page; undefined for other codes. */
export const noticeOf = (code: string): string | undefined => notices[code as ErrorCode];

/** A Go test holds these to the server's limits. */
export const limits = rules.limits;
