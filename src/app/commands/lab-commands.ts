/** Commands of the embeddings lab, with its single keys. */
import { labDeeds, type LabDeedName } from '../../features/embeddings/lab/lab-deeds.ts';
import type { Command } from './command.ts';

function ofLab(deed: LabDeedName, key: string, words: Pick<Command, 'words' | 'also' | 'effect'>): Command {
  return {
    ...words,
    id: `lab-${deed}`,
    group: 'Embeddings',
    keys: [[key]],
    // Some keyboards have the sign on a key that is pressed with Shift.
    bindings: [key.toLowerCase(), `Shift+${key.toLowerCase()}`],
    isSingle: true,
    blockedBy: () => {
      const { deeds } = labDeeds.getState();
      return deeds ? deeds[deed].blockedBy?.() : 'Only in the embeddings lab';
    },
    run: () => labDeeds.getState().deeds?.[deed].run(),
  };
}

export const labCommands: readonly Command[] = [
  ofLab('find', '/', { words: 'Find texts', also: 'query search nearest' }),
  ofLab('shorter', '[', {
    words: 'Use fewer dimensions',
    also: 'cut vectors smaller size truncate shorter matryoshka',
    effect: () => 'in every view, without a new request',
  }),
  ofLab('longer', ']', {
    words: 'Use more dimensions',
    also: 'cut vectors larger size longer full',
    effect: () => 'in every view, without a new request',
  }),
  ofLab('otherModel', 'M', { words: 'Show the other model', also: 'second B A compare' }),
];
