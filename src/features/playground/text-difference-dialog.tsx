import { diffLines, diffWordsWithSpace, type ChangeObject } from 'diff';
import { useState } from 'react';

import { textOf } from '../../conversation/reply/run.ts';
import { candidateOf } from '../../conversation/session/candidates.ts';
import { laneLetter, runOf } from '../../conversation/session/tree.ts';
import { plural } from '../../lib/format.ts';
import { useSessionParts, useView } from '../../state/react.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

type Grain = 'words' | 'lines';

const grains: { value: Grain; label: string }[] = [
  { value: 'words', label: 'Words' },
  { value: 'lines', label: 'Lines' },
];

/** What differs between the latest answers of two lanes, by words or by lines. */
export function TextDifferenceDialog({ onClose }: { onClose: () => void }) {
  const namesHidden = useView((view) => view.namesHidden);
  const answers =
    useSessionParts((data) =>
      data.session.laneIds.map((laneId) => {
        const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
        const run = runOf(data, turn);
        return textOf(candidateOf(run, turn?.shownChoice));
      }),
    ) ?? [];
  const models =
    useSessionParts((data) => data.session.laneIds.map((laneId) => data.lanes[laneId]?.setup.model ?? '')) ??
    [];
  const [first, setFirst] = useState('0');
  const [second, setSecond] = useState('1');
  const [grain, setGrain] = useState<Grain>('words');
  const options = answers.map((_, index) => ({
    value: String(index),
    label: `Lane ${laneLetter(index)}${namesHidden ? '' : `, ${models[index] ?? ''}`}`,
  }));
  const [one, other] = [answers[Number(first)] ?? '', answers[Number(second)] ?? ''];
  const changes = changesOf(one, other, grain);
  const changed = changes.filter((change) => change.added || change.removed).length;
  return (
    <Dialog
      title="Compare texts"
      wide
      onClose={onClose}
      note={<span className="mut">{verdict(one, other, changed)}</span>}
    >
      <div className="diff-choice">
        <Select label="First text" value={first} options={options} onChange={setFirst} />
        <Select label="Second text" value={second} options={options} onChange={setSecond} />
        <Segmented label="By" value={grain} choices={grains} onChange={setGrain} />
      </div>
      <div className={`diff-text unbroken by-${grain}`} dir="auto">
        {changes.map((change, index) => {
          if (change.added) return <ins key={index}>{change.value}</ins>;
          if (change.removed) return <del key={index}>{change.value}</del>;
          return <span key={index}>{change.value}</span>;
        })}
      </div>
    </Dialog>
  );
}

/** By words where that is done in time; very long texts that share little fall back to lines. */
function changesOf(one: string, other: string, grain: Grain): ChangeObject<string>[] {
  const byWords = grain === 'words' ? diffWordsWithSpace(one, other, { timeout: 500 }) : undefined;
  const byLines = byWords ?? diffLines(one, other, { timeout: 2000 });
  return (
    byLines ?? [
      { value: one, added: false, removed: true, count: 1 },
      { value: other, added: true, removed: false, count: 1 },
    ]
  );
}

function verdict(one: string, other: string, changed: number): string {
  if (one === '' || other === '') return 'One lane has no answer yet.';
  return one === other ? 'The answers are identical.' : plural(changed, 'difference');
}
