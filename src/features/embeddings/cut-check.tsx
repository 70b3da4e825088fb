import { useState } from 'react';

import { dimensionsOf } from '../../embedding/items/model-dimensions.ts';
import { wordsOf } from '../../lib/error-words.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { shownSet } from '../../state/lab/lab-state.ts';
import type { CutCheck as Check } from '../../state/lab/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { useLab, useLabState } from './hooks/use-lab.ts';

/** Leaves room for bfloat16 and for what a batch changes. */
const sameFrom = 0.999;

/** Whether the views may stand for the server: its own `dimensions` beside a cut of its full vectors. */
export function CutCheck() {
  const { verifyCut } = useLab();
  const set = useLabState(shownSet);
  const [picked, setPicked] = useState(256);
  const [result, setResult] = useState<{ version: number; check?: Check; problem?: string }>();
  const [isAsking, setIsAsking] = useState(false);
  const sizes = set ? (dimensionsOf(set.model)?.values ?? []).filter((value) => value < set.dimensions) : [];
  if (!set || sizes.length === 0) return null;
  const size = sizes.includes(picked) ? picked : (sizes[0] ?? picked);
  const shown = result?.version === set.version ? result : undefined;

  const ask = async () => {
    setIsAsking(true);
    try {
      setResult({ version: set.version, check: await verifyCut(set.slot, size) });
    } catch (error) {
      setResult({ version: set.version, problem: wordsOf(error) });
    } finally {
      setIsAsking(false);
    }
  };

  return (
    <section aria-label="Server and cut">
      <h3>Does the server shorten vectors as the views do?</h3>
      <p>
        The views cut the {formatCount(set.dimensions)} numbers of each vector and scale what is left to
        length 1. One request with up to 8 texts shows whether the server does the same.
      </p>
      <div className="lab-field">
        <Select
          label="Size to check"
          value={String(size)}
          options={sizes.map((value) => ({ value: String(value), label: formatCount(value) }))}
          onChange={(value) => setPicked(Number(value))}
        />
        <Button size="small" disabled={isAsking} onClick={() => void ask()}>
          {isAsking ? 'Checking' : 'Check with 1 request'}
        </Button>
      </div>
      <p role="status">{shown?.check ? inWords(shown.check, set.dimensions) : shown?.problem}</p>
    </section>
  );
}

function inWords({ dimensions, texts, least }: Check, full: number): string {
  const cosine = least >= 0.999995 ? 'over 0.99999' : `at least ${least.toFixed(5)}`;
  return least >= sameFrom
    ? `The same: on ${plural(texts, 'text')} the server’s ${formatCount(dimensions)} dimensions are the first of its ${formatCount(full)}, cosine ${cosine}.`
    : `Not the same: the lowest cosine on ${plural(texts, 'text')} is ${least.toFixed(5)}. What the views show for ${formatCount(dimensions)} dimensions does not apply to this server.`;
}
