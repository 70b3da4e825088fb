import { useEffect } from 'react';

import { isLive, getAnswerText } from '../../conversation/reply/run.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import {
  describeEndedRuns,
  getRunLetter,
  describeSentRuns,
  findSentenceEnd,
} from '../../conversation/session/run-announcements.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import { markdownToPlainText } from '../../markdown/tree/markdown-plain-text.ts';
import { useSessionServices, useAppServices, useRunServices } from '../../state/contexts.tsx';
import { describeUsedUpLimit } from '../../state/runs/run-queue.ts';
import { getCurrentSession, type SessionState } from '../../state/sessions/session-store.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';

/** Maximum number of characters read out per reply. For the rest, the announcement mentions Shift+F6. */
const maxReadChars = 500;
/**
 * Maximum number of Markdown characters, including syntax and URLs, that are parsed to read them out, so that huge
 * answers are not parsed completely.
 */
const maxParsedChars = 10 * maxReadChars;
/** Time in ms within which starts, or ends, of several lanes are announced together. */
const groupingMs = 300;
/** Maximum number of times that an announcement is delayed for other lanes. */
const maxWaits = 4;
/** Interval in ms at which complete sentences are searched for in a growing answer. */
const sentenceCheckMs = 250;
/**
 * Maximum age in ms of an ended run that is still announced. Some delay is possible, because this module loads last on
 * a new page.
 */
const maxEndedAgeMs = 3000;

/** Announces the start and end of each run in the current session and, if enabled, sentences as they arrive. */
export function useAnnouncedRuns(): void {
  const { session } = useSessionServices();
  const { prefs } = useAppServices();
  const { getQueue } = useRunServices();
  const statuses = useGatewayStatuses();
  const announce = useAnnounce();
  useEffect(() => {
    let liveIds = findJustEnded(getCurrentSession(session.getState()));
    // The start of runs that are already live has not been announced yet either.
    let startedIds: RunId[] = [...liveIds];
    let remainingWaits = maxWaits;
    let endedIds: RunId[] = [];
    const announcedOffsets = new Map<RunId, number>();
    let startTimer: ReturnType<typeof setTimeout> | undefined;
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    let sentenceTimer: ReturnType<typeof setTimeout> | undefined;
    const queues = new Set([getQueue(), ...statuses.map(({ name }) => getQueue(name))]);
    const shouldReadSentences = () => prefs.getState().readBySentence === true;

    /** Announces the new complete sentences of this run, or all remaining text if it has ended. */
    const announceSentences = (run: Run) => {
      const text = getAnswerText(getCandidate(run, 0));
      const start = announcedOffsets.get(run.id) ?? 0;
      const end = isLive(run) ? findSentenceEnd(text, start) : text.length;
      if (end <= start) return;
      announcedOffsets.set(run.id, end);
      const plainText = stripMarkdown(text.slice(start, Math.min(end, start + maxParsedChars)));
      if (plainText === '') return;
      announce(end - start > maxParsedChars ? `${plainText}… Press Shift+F6 to read on.` : plainText);
    };
    const checkSentences = () => {
      sentenceTimer = undefined;
      const data = getCurrentSession(session.getState());
      const run = data && findFocusedRun(data, liveIds);
      if (run) announceSentences(run);
    };
    /** Announces runs that have started. Runs held back by the rate limit are announced when they are sent. */
    const announceStarts = () => {
      startTimer = undefined;
      const data = getCurrentSession(session.getState());
      if (!data) return;
      const queuedIds = startedIds.filter((id) => data.runs[id]?.phase.name === 'queued');
      const isRateLimited = [...queues].some(({ state }) => state.getState().nextStartAt !== undefined);
      // Delays the announcement, so that all runs are announced together: with few connections, some are sent later.
      if (queuedIds.length > 0 && !isRateLimited && remainingWaits > 0) {
        remainingWaits -= 1;
        startTimer = setTimeout(announceStarts, groupingMs);
        return;
      }
      remainingWaits = maxWaits;
      const sentIds = startedIds.filter((id) => data.runs[id]?.sentAt !== undefined);
      startedIds = queuedIds;
      if (sentIds.length > 0) announce(describeSentRuns(data, sentIds));
    };
    // Announces the countdown once, when it starts. Its end is announced together with the requests sent then.
    const unsubscribeFromQueues = [...queues].map((queue) =>
      queue.state.subscribe(({ nextStartAt }, previous) => {
        if (nextStartAt === undefined || previous.nextStartAt !== undefined) return;
        const seconds = Math.max(1, Math.ceil((nextStartAt - Date.now()) / 1000));
        announce(`Starts in ${seconds} s. ${describeUsedUpLimit(queue.getLimit())}`);
      }),
    );
    const announceEnds = () => {
      endTimer = undefined;
      const data = getCurrentSession(session.getState());
      const runs = endedIds.flatMap((id) => data?.runs[id] ?? []);
      endedIds = [];
      if (!data || runs.length === 0) return;
      const runInFocus = shouldReadSentences()
        ? findFocusedRun(data, new Set(runs.map(({ id }) => id)))
        : undefined;
      if (runInFocus) announceSentences(runInFocus);
      announce(describeEndedRuns(data, runs));
      const [onlyRun] = runs;
      if (shouldReadSentences() || data.session.laneIds.length > 1 || onlyRun?.phase.name !== 'complete')
        return;
      const text = getAnswerText(getCandidate(onlyRun, 0));
      const plainText = stripMarkdown(text.slice(0, maxParsedChars));
      if (plainText === '') return;
      const isComplete = text.length <= maxParsedChars && plainText.length <= maxReadChars;
      announce(isComplete ? plainText : `${plainText.slice(0, maxReadChars)}… Press Shift+F6 to read on.`);
    };
    const onSessionChange = (state: SessionState) => {
      const data = getCurrentSession(state);
      if (!data) return;
      const currentIds = new Set(
        Object.values(data.runs)
          .filter(isLive)
          .map((run) => run.id),
      );
      startedIds.push(...[...currentIds].filter((id) => !liveIds.has(id)));
      if (startedIds.length > 0) startTimer ??= setTimeout(announceStarts, groupingMs);
      const newlyEndedIds = [...liveIds].filter((id) => !currentIds.has(id) && data.runs[id]);
      liveIds = currentIds;
      if (newlyEndedIds.length > 0) {
        endedIds.push(...newlyEndedIds);
        endTimer ??= setTimeout(announceEnds, groupingMs);
      }
      if (currentIds.size > 0 && shouldReadSentences())
        sentenceTimer ??= setTimeout(checkSentences, sentenceCheckMs);
    };
    onSessionChange(session.getState());
    const unsubscribe = session.subscribe(onSessionChange);
    return () => {
      unsubscribe();
      for (const unsubscribeFromQueue of unsubscribeFromQueues) unsubscribeFromQueue();
      clearTimeout(startTimer);
      clearTimeout(endTimer);
      clearTimeout(sentenceTimer);
    };
  }, [session, prefs, getQueue, statuses, announce]);
}

function findJustEnded(data: SessionData | undefined): ReadonlySet<RunId> {
  const sinceMs = Date.now() - maxEndedAgeMs;
  const runs = Object.values(data?.runs ?? {}).filter((run) => {
    const { sentAt = 0, endedMs = 0 } = run;
    // Runs sent before a reload were announced by the previous page.
    return !isLive(run) && sentAt >= performance.timeOrigin && sentAt + endedMs > sinceMs;
  });
  return new Set(runs.map(({ id }) => id));
}

/** Returns the run in the focused lane or, without one there, in the first lane that has a run. */
function findFocusedRun(data: SessionData, runIds: ReadonlySet<RunId>): Run | undefined {
  const runs = [...runIds]
    .flatMap((id) => data.runs[id] ?? [])
    .toSorted((a, b) => (getRunLetter(data, a.id) < getRunLetter(data, b.id) ? -1 : 1));
  const focusedLetter = document.activeElement?.closest<HTMLElement>('[data-lane]')?.dataset['lane'];
  return runs.find((run) => getRunLetter(data, run.id) === focusedLetter) ?? runs[0];
}

/** Returns the text without Markdown syntax. */
function stripMarkdown(text: string): string {
  return markdownToPlainText(text).replaceAll(/\s+/g, ' ').trim();
}
