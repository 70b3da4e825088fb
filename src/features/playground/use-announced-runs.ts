import { useEffect, useRef } from 'react';
import { isLive, textOf } from '../../conversation/run.ts';
import { laneLetter } from '../../conversation/tree.ts';
import type { Run, SessionData } from '../../conversation/types.ts';
import { usePlayground } from '../../state/react.tsx';
import { currentSession, type SessionState } from '../../state/session-store.ts';
import { useAnnounce } from '../../ui/live-region.tsx';

/** One finished reply is read up to this many characters; the rest is for the reader to fetch. */
const readLength = 500;

/** Announces each run's start and end of the session on screen. */
export function useAnnouncedRuns(): void {
  const { session } = usePlayground();
  const announce = useAnnounce();
  const live = useRef<ReadonlySet<string>>(new Set());
  useEffect(
    () => {
      const hear = (state: SessionState) => {
        const data = currentSession(state);
        if (!data) return;
        const before = live.current;
        const now = new Set(Object.values(data.runs).filter(isLive).map((run) => run.id));
        live.current = now;
        const started = [...now].filter((id) => !before.has(id));
        if (started.length > 0) announce(`Sent to ${started.length === 1 ? laneName(data, started[0]) : `${started.length} lanes`}.`);
        for (const id of before) {
          const run = data.runs[id];
          if (run && !now.has(id)) void endSentence(data, run).then(announce);
        }
      };
      return session.subscribe(hear);
    },
    [session, announce],
  );
}

function laneName(data: SessionData, runId: string | undefined): string {
  const turn = Object.values(data.turns).find((each) => each.reply && 'runId' in each.reply && each.reply.runId === runId);
  return `lane ${laneLetter(Math.max(0, data.session.laneIds.indexOf(turn?.laneId ?? '')))}`;
}

/** The words of endings are loaded with the views of messages; they are there by the time one has ended. */
async function endSentence(data: SessionData, run: Run): Promise<string> {
  const { endingOf } = await import('../../conversation/ending.ts');
  const lane = laneName(data, run.id);
  const name = lane.charAt(0).toUpperCase() + lane.slice(1);
  const ending = endingOf(run);
  if (ending) return `${name}: ${ending.title}.`;
  if (data.session.laneIds.length > 1) return `${name} done.`;
  return `${name} done. ${textOf(run.choices[0]).slice(0, readLength)}`;
}
