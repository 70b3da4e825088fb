/** Scores answers apart from the page, since a pattern may run for ever: a list of jobs in, one score after the other out. */
import { applyCheck } from '../../../trials/checks/score-answer.ts';
import type { ScoreJob } from './scorer.ts';

addEventListener('message', ({ data }: MessageEvent<readonly ScoreJob[]>) => {
  for (const { check, values, cell, answer } of data)
    postMessage(applyCheck(check, values, cell, { answer }));
});
