import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { formatCount } from '../../../lib/format.ts';
import { shareWords } from '../nearest/share-words.ts';
import { bytesWords, percent } from './dimension-words.ts';

/** What a smaller size keeps, and what it saves. Loaded with the first one that is chosen. */
export function CutWords({ step, full }: { step: SweepStep; full: SweepStep }) {
  const { dimensions, bytesPerVector, k, recall } = step;
  return (
    <p className="cut-words">
      <b>
        {formatCount(dimensions)} keeps {percent(recall.mean)} of each text’s top {k}
      </b>{' '}
      in {shareWords(bytesPerVector / full.bytesPerVector)} of the storage of {formatCount(full.dimensions)} (
      {bytesWords(bytesPerVector)} instead of {bytesWords(full.bytesPerVector)} per vector). For similar texts
      expect {percent(recall.low)} to {percent(recall.high)}.
    </p>
  );
}
