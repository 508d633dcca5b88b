// The types of the participant's protocol, as openapi/participant.yaml describes them.

export interface Step {
  stepId: string | null;
  kind: 'question' | 'follow_up' | 'statement' | 'screened_out' | 'complete';
  moderator: string | null;
  question: Question | null;
  concept: Concept | null;
  capture: Capture | null;
  progress: { done: number; total: number };
  message: string | null;
}

export interface Question {
  id: string;
  number: number;
  type: 'open_ended' | 'file_upload' | 'multiple_choice' | 'ranking' | 'statement' | 'matrix' | 'max_diff';
  text: string;
  options: Option[] | null;
  rows: Line[] | null;
  columns: Line[] | null;
  multiSelect: boolean | null;
  minSelect: number | null;
  maxSelect: number | null;
  allowCustomOption: boolean | null;
  metric: string | null;
  screen: { index: number; count: number } | null;
  preferredInput: 'text' | 'voice' | 'screenRecording' | 'none' | null;
  media: Media[];
  embed: { url: string; proxyUrl: string | null } | null;
  continueButtonText: string | null;
}

/** What is recorded of an answer, and whether speaking or typing is offered first. */
export interface Capture {
  microphone: boolean;
  camera: boolean;
  screen: boolean;
  first: 'voice' | 'text';
  maxBytes: { audio: number; video: number; screenVideo: number };
}

export interface Line {
  id: string;
  text: string;
}

export interface Option extends Line {
  exclusive: boolean;
}

export interface Concept {
  id: string;
  title: string;
  description: string;
  media: Media[];
  embedUrl: string | null;
}

export interface Media {
  type: 'image' | 'video';
  name: string;
  url: string;
  widthPercentage: number | null;
  forceWatching: boolean;
}

/** The body of an answer, without its stepId. */
export interface Answer {
  text?: string;
  selected?: string[];
  customText?: string;
  ranking?: string[];
  cells?: Record<string, string>;
  best?: string;
  worst?: string;
  uploads?: string[];
  recordings?: { audio?: string; video?: string; screenVideo?: string };
  telemetry?: Telemetry;
}

/** How an answer was entered: characters pasted and typed, seconds from the first to the last input, and times the page was left. */
export interface Telemetry {
  pasted: number;
  typed: number;
  seconds: number;
  blurs: number;
}

export interface Issue {
  path: string[];
  code: string;
  expected?: string;
}

/** Reports whether the interview has ended. */
export const ended = (step: Step): boolean => step.kind === 'complete' || step.kind === 'screened_out';

/** Returns the question type whose widget a step shows. A follow-up is always open ended. */
export function widgetOf(step: Step): Question['type'] {
  return step.kind === 'follow_up' || !step.question ? 'open_ended' : step.question.type;
}
