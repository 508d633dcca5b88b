// The answers of the test's participant, in the types generated from participant.yaml.
import type { components } from './generated/participant.js';

type Step = components['schemas']['Step'];
type Answer = components['schemas']['Answer'];
type Question = components['schemas']['Question'];

// answerTo returns an answer to the step; asked counts the items of each type.
export function answerTo(step: Step, asked: Map<string, number>): Answer {
  if (step.stepId === null || step.question === null) throw new Error(`the step ${step.kind} takes no answer`);
  const key = step.kind === 'follow_up' ? 'follow_up' : step.question.type;
  asked.set(key, (asked.get(key) ?? 0) + 1);
  return { stepId: step.stepId, ...(step.kind === 'follow_up' ? { text: 'Because it was quick.' } : reply(step.question)) };
}

function reply(question: Question): Omit<Answer, 'stepId'> {
  const ids = (question.options ?? []).map((option) => option.id);
  switch (question.type) {
    case 'statement':
      return {};
    case 'open_ended':
      return { text: 'It was easy and saved us time.', telemetry: { typed: 30, seconds: 9 } };
    case 'multiple_choice':
      return { selected: [question.options?.find((option) => option.id === 'kit')?.id ?? need(ids[0])] };
    case 'ranking':
      return { ranking: ids };
    case 'matrix': {
      const column = need(question.columns?.[0]).id;
      return { cells: Object.fromEntries((question.rows ?? []).map((row) => [row.id, column])) };
    }
    case 'max_diff':
      return { best: need(ids[0]), worst: need(ids[1]) };
    case 'file_upload':
      throw new Error('the API creates no questions of this type');
    default:
      return impossible(question.type);
  }
}

// need fails without a value.
export function need<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value is missing');
  return value;
}

// impossible is reached only if the types are incomplete.
export function impossible(value: never): never {
  throw new Error(`unexpected: ${String(value)}`);
}

export function check(fact: boolean, what: string): void {
  if (!fact) throw new Error(what);
}

// The types of item that every interview of the guide asks.
export const types = ['multiple_choice', 'statement', 'ranking', 'open_ended', 'follow_up', 'matrix', 'max_diff'] as const;
