/** Scores answers in a thread of Node, since a regular expression may never finish. Works like score-worker.ts. */
import { parentPort } from 'node:worker_threads';

import type { ScoreJob } from '../../state/trials/results/trial-scores.ts';
import { applyCheck } from '../../trials/checks/score-answer.ts';

parentPort?.on('message', (jobs: readonly ScoreJob[]) => {
  for (const { check, values, cell, answer } of jobs)
    parentPort?.postMessage(applyCheck(check, values, cell, { answer }));
});
