import { useEffect } from 'react';

import { isLive, getAnswerText } from '../../conversation/reply/run.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import {
  describeEnded,
  getRunLetter,
  describeSent,
  findSentenceEnd,
} from '../../conversation/session/run-announcements.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import { markdownToPlainText } from '../../markdown/tree/markdown-plain-text.ts';
import { describeUsedUpLimit } from '../../state/runs/run-queue.ts';
import { getCurrentSession, type SessionState } from '../../state/sessions/session-store.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';

/** One finished reply is read up to this many characters; the rest is for the reader to fetch. */
const readLength = 500;
/** So much Markdown holds them, marks and addresses included: an answer of megabytes is not parsed for its beginning. */
const parsedLength = 10 * readLength;
/** Lanes that start, or end, within this time are told of together. */
const togetherMs = 300;
/** So often the first of them wait for the others. */
const mostWaits = 4;
/** How often a growing answer is looked at for whole sentences. */
const lookEveryMs = 250;
/** What ended this short ago, before anyone listened, is still told of: on a page just opened this loads last. */
const justEndedMs = 3000;

/** Announces each run's start and end of the session on screen, and where it is asked for its sentences as they arrive. */
export function useAnnouncedRuns(): void {
  const { session, prefs, queue } = usePlayground();
  const announce = useAnnounce();
  useEffect(() => {
    let live = justEnded(getCurrentSession(session.getState()));
    // That they were sent is not told yet, either.
    let started: RunId[] = [...live];
    let patience = mostWaits;
    let ended: RunId[] = [];
    const saidUpTo = new Map<RunId, number>();
    let startTimer: ReturnType<typeof setTimeout> | undefined;
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    let lookTimer: ReturnType<typeof setTimeout> | undefined;
    const readsSentences = () => prefs.getState().readBySentence === true;

    /** What is new and whole of this run; all that is left where it has ended. */
    const saySentences = (run: Run) => {
      const text = getAnswerText(getCandidate(run, 0));
      const from = saidUpTo.get(run.id) ?? 0;
      const upTo = isLive(run) ? findSentenceEnd(text, from) : text.length;
      if (upTo <= from) return;
      saidUpTo.set(run.id, upTo);
      const words = plainWords(text.slice(from, Math.min(upTo, from + parsedLength)));
      if (words === '') return;
      announce(upTo - from > parsedLength ? `${words}… Press Shift+F6 to read on.` : words);
    };
    const look = () => {
      lookTimer = undefined;
      const data = getCurrentSession(session.getState());
      const run = data && focusedRun(data, live);
      if (run) saySentences(run);
    };
    /** Those that wait for their turn in the minute are told of when they leave. */
    const tellStarts = () => {
      startTimer = undefined;
      const data = getCurrentSession(session.getState());
      if (!data) return;
      const held = started.filter((id) => data.runs[id]?.phase.name === 'queued');
      const waits = queue.state.getState().nextStartAt !== undefined;
      // A moment more, and they have all left together; where connections are short, some leave later.
      if (held.length > 0 && !waits && patience > 0) {
        patience -= 1;
        startTimer = setTimeout(tellStarts, togetherMs);
        return;
      }
      patience = mostWaits;
      const sent = started.filter((id) => data.runs[id]?.sentAt !== undefined);
      started = held;
      if (sent.length > 0) announce(describeSent(data, sent));
    };
    // The countdown is said at its start, not each second; that it is over is said by what leaves then.
    const stopHearingQueue = queue.state.subscribe(({ nextStartAt }, before) => {
      if (nextStartAt === undefined || before.nextStartAt !== undefined) return;
      const seconds = Math.max(1, Math.ceil((nextStartAt - Date.now()) / 1000));
      announce(`Starts in ${seconds} s. ${describeUsedUpLimit(queue.getLimit())}`);
    });
    const tellEnds = () => {
      endTimer = undefined;
      const data = getCurrentSession(session.getState());
      const runs = ended.flatMap((id) => data?.runs[id] ?? []);
      ended = [];
      if (!data || runs.length === 0) return;
      const focused = readsSentences() ? focusedRun(data, new Set(runs.map(({ id }) => id))) : undefined;
      if (focused) saySentences(focused);
      announce(describeEnded(data, runs));
      const [only] = runs;
      if (readsSentences() || data.session.laneIds.length > 1 || only?.phase.name !== 'complete') return;
      const text = getAnswerText(getCandidate(only, 0));
      const words = plainWords(text.slice(0, parsedLength));
      if (words === '') return;
      const isWhole = text.length <= parsedLength && words.length <= readLength;
      announce(isWhole ? words : `${words.slice(0, readLength)}… Press Shift+F6 to read on.`);
    };
    const hear = (state: SessionState) => {
      const data = getCurrentSession(state);
      if (!data) return;
      const now = new Set(
        Object.values(data.runs)
          .filter(isLive)
          .map((run) => run.id),
      );
      started.push(...[...now].filter((id) => !live.has(id)));
      if (started.length > 0) startTimer ??= setTimeout(tellStarts, togetherMs);
      const over = [...live].filter((id) => !now.has(id) && data.runs[id]);
      live = now;
      if (over.length > 0) {
        ended.push(...over);
        endTimer ??= setTimeout(tellEnds, togetherMs);
      }
      if (now.size > 0 && readsSentences()) lookTimer ??= setTimeout(look, lookEveryMs);
    };
    hear(session.getState());
    const unsubscribe = session.subscribe(hear);
    return () => {
      unsubscribe();
      stopHearingQueue();
      clearTimeout(startTimer);
      clearTimeout(endTimer);
      clearTimeout(lookTimer);
    };
  }, [session, prefs, queue, announce]);
}

function justEnded(data: SessionData | undefined): ReadonlySet<RunId> {
  const since = Date.now() - justEndedMs;
  const runs = Object.values(data?.runs ?? {}).filter((run) => {
    const { sentAt = 0, endedMs = 0 } = run;
    // What was sent before a reload has been told of by the page of then.
    return !isLive(run) && sentAt >= performance.timeOrigin && sentAt + endedMs > since;
  });
  return new Set(runs.map(({ id }) => id));
}

/** Of these runs the one in the lane that has the focus, else in the first lane that has one. */
function focusedRun(data: SessionData, among: ReadonlySet<RunId>): Run | undefined {
  const runs = [...among]
    .flatMap((id) => data.runs[id] ?? [])
    .toSorted((one, other) => (getRunLetter(data, one.id) < getRunLetter(data, other.id) ? -1 : 1));
  const focused = document.activeElement?.closest<HTMLElement>('[data-lane]')?.dataset['lane'];
  return runs.find((run) => getRunLetter(data, run.id) === focused) ?? runs[0];
}

/** Without the marks of Markdown. */
function plainWords(text: string): string {
  return markdownToPlainText(text).replaceAll(/\s+/g, ' ').trim();
}
