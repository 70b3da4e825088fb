/**
 * Scores answers in a worker, since a regular expression may never finish: receives a list of jobs, returns one score
 * after another.
 */
import { applyCheck } from '../../../trials/checks/score-answer.ts';
import type { ScoreJob } from './trial-scores.ts';

addEventListener('message', ({ data }: MessageEvent<readonly ScoreJob[]>) => {
  for (const { check, values, cell, answer } of data)
    postMessage(applyCheck(check, values, cell, { answer }));
});
