// Recordings belong to answers; the player shows those of all rows as one timeline.
import type { components } from '../shared/dashboard_api';

export type Row = components['schemas']['Row'];
export type Recording = components['schemas']['Recording'];

export interface Segment {
  /** The index of the row. */
  row: number;
  /** Where the segment begins on the timeline, in seconds. */
  start: number;
  duration: number;
  recording: Recording;
  /** What the screen showed meanwhile. */
  screen: Recording | null;
}

export interface Timeline {
  segments: readonly Segment[];
  duration: number;
}

const playable = (r: Recording): boolean => r.state === 'ready' && r.url !== null;

/** Lays out the recordings of rows one after the other. measured has durations by row that the media told, which win over what the server says. */
export function timelineOf(rows: readonly Row[], measured?: ReadonlyMap<number, number>): Timeline {
  const segments: Segment[] = [];
  let start = 0;
  for (const row of rows) {
    const ready = row.recordings.filter(playable);
    const screen = ready.find((r) => r.kind === 'screenVideo') ?? null;
    const recording = ready.find((r) => r.kind === 'video') ?? ready.find((r) => r.kind === 'audio') ?? screen;
    if (!recording) continue;
    const duration = measured?.get(row.index) ?? recording.durationSeconds ?? 0;
    segments.push({ row: row.index, start, duration, recording, screen: screen === recording ? null : screen });
    start += duration;
  }
  return { segments, duration: start };
}

/** Returns the segment at a second of the timeline, and the second within it. Beyond the end it is the end of the last segment. */
export function locate(timeline: Timeline, seconds: number): { index: number; offset: number } {
  const { segments } = timeline;
  const at = Math.max(0, Math.min(seconds, timeline.duration));
  let index = segments.length - 1;
  while (index > 0 && (segments[index]?.start ?? 0) > at) index--;
  const segment = segments[index];
  return { index, offset: segment ? Math.min(at - segment.start, segment.duration) : 0 };
}

/** Returns the index of the segment of a row, or -1. */
export const segmentOf = (timeline: Timeline, row: number): number => timeline.segments.findIndex((s) => s.row === row);
