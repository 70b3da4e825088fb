import { Code, Download, Info, Plus, Square, X } from 'lucide-react';
import { useState } from 'react';

import { dimensionsOf, whyNoDimensions } from '../../embedding/items/model-dimensions.ts';
import { formatCount, formatDuration, plural } from '../../lib/format.ts';
import type { EmbeddingJob } from '../../state/embedding/embedding-job-types.ts';
import { shownSet } from '../../state/lab/lab-state.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { ModelPicker } from '../models/model-picker.tsx';
import { useJobState, useLab, useLabState } from './hooks/use-lab.ts';
import { saveLabFile, type LabFile } from './lab-export.ts';

const formats = [
  { value: 'base64', label: 'base64', note: '3 to 4 times smaller' },
  { value: 'float', label: 'float' },
] as const;

/** Which model, how it is asked, and the one button that spends. `isShort`: only the model and the button. */
export function LabBar({ isShort }: { isShort: boolean }) {
  const { edit, show } = useLab();
  const models = useLabState((state) => state.input.models);
  const format = useLabState((state) => state.input.format);
  const [asksForSecond, setAsksForSecond] = useState(false);
  const hasSecond = asksForSecond || models.B !== '';

  return (
    <div className="bar">
      <div className="bar-rest">
        <h1>Embeddings</h1>
        <span className="sep" />
        <ModelPicker value={models.A} onPick={(A) => edit({ models: { ...models, A } })} kind="embedding" />
        {hasSecond ? (
          <span className="lab-field">
            <span className="mut">vs.</span>
            <ModelPicker
              label="Second model"
              value={models.B}
              onPick={(B) => edit({ models: { ...models, B } })}
              kind="embedding"
            />
            <IconButton
              size="small"
              label="Remove second model"
              onClick={() => {
                setAsksForSecond(false);
                edit({ models: { ...models, B: '' } });
              }}
            >
              <X className="i s" aria-hidden />
            </IconButton>
          </span>
        ) : (
          <IconButton label="Compare with another model" onClick={() => setAsksForSecond(true)}>
            <Plus className="i s" aria-hidden />
          </IconButton>
        )}
        {!isShort && (
          <>
            <span className="sep" />
            <DimensionsField />
            <span className="lab-field">
              <span className="mono">encoding_format</span>
              <TierMark fill="half" label="documented" />
              <Select
                label="encoding_format"
                value={format}
                options={formats}
                onChange={(next) => edit({ format: next })}
              />
            </span>
            <span className="grow" />
            <LabFacts />
            <Button look="quiet" onClick={() => show('wire')}>
              <Code className="i s" aria-hidden />
              Get code
            </Button>
          </>
        )}
        <ExportMenu />
      </div>
      <EmbedButton />
    </div>
  );
}

const forms: readonly { form: LabFile; label: string; hint: string }[] = [
  { form: 'json', label: 'JSON', hint: 'as the gateway returns it' },
  { form: 'jsonl', label: 'JSON Lines', hint: 'one text and vector per line' },
  { form: 'csv', label: 'CSV', hint: '9 digits' },
  { form: 'npy', label: 'npy and ids', hint: 'float32 for NumPy' },
  { form: 'report', label: 'Report', hint: 'settings, seeds, results' },
];

/** What is loaded, as files. */
function ExportMenu() {
  const lab = useLab();
  const isThere = useLabState((state) => shownSet(state) !== undefined);
  const announce = useAnnounce();
  if (!isThere) return null;
  const save = async (form: LabFile) => {
    announce(await saveLabFile(form, lab));
  };
  return (
    <Menu
      label="Save as a file"
      items={forms.map(({ form, label, hint }) => ({ label, hint, onPick: () => lab.tell(save(form)) }))}
    >
      <Download className="i" aria-hidden />
    </Menu>
  );
}

/** What the shown set is made of, and what it took. */
function LabFacts() {
  const set = useLabState(shownSet);
  const job = useLabState((state) => (set ? state.jobs[set.slot] : undefined));
  if (!set || !job) return null;
  return <Facts job={job} texts={set.rows.length} dimensions={set.dimensions} />;
}

function Facts({ job, texts, dimensions }: { job: EmbeddingJob; texts: number; dimensions: number }) {
  const tokens = useJobState(job, (state) => state.tokens);
  const requests = useJobState(job, (state) => state.requests);
  const tookMs = useJobState(job, (state) => state.tookMs);
  const took = formatDuration(tookMs);
  return (
    <div role="group" aria-label="Metrics">
      <dl className="mx">
        <div>
          <dt>Texts</dt>
          <dd>{formatCount(texts)}</dd>
        </div>
        <div>
          <dt>Dimensions</dt>
          <dd>{formatCount(dimensions)}</dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>
            {requests === 0 ? 'from store' : tokens === undefined ? 'not reported' : formatCount(tokens)}
          </dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>
            {requests === 0 ? (
              'no request'
            ) : (
              <>
                {took.number}
                <small>{took.unit}</small>
              </>
            )}
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** The one button that spends; while a job is under way it stops it. */
function EmbedButton() {
  const { embed } = useLab();
  const active = useLabState((state) => (state.active ? state.jobs[state.active] : undefined));
  const count = useLabState((state) => state.reading.items.length);
  const model = useLabState((state) => state.input.models.A);
  if (active) return <StopButton job={active} />;
  const why = count === 0 ? 'Enter at least one text.' : model === '' ? 'Choose a model.' : undefined;
  return (
    <span className="embed">
      {why !== undefined && (
        <span id="embed-why" className="vh">
          {why}
        </span>
      )}
      <Button
        look="ink"
        size="big"
        disabled={why !== undefined}
        title={why}
        aria-describedby={why === undefined ? undefined : 'embed-why'}
        onClick={() => void embed()}
      >
        Embed
        {count > 0 && ` ${plural(count, 'text')}`}
      </Button>
    </span>
  );
}

function StopButton({ job }: { job: EmbeddingJob }) {
  const { pause } = useLab();
  const isPausing = useJobState(job, (state) => state.phase.name === 'pausing');
  return (
    <span className="embed">
      <Button look="stop" size="big" onClick={() => void pause()}>
        <Square className="i s" aria-hidden />
        {isPausing ? 'Stop at once' : 'Pause'}
      </Button>
    </span>
  );
}

const notSent = 'none';

/** §2.6: the allowed values of the size that the ID shows, or why there is no such field. */
function DimensionsField() {
  const { edit } = useLab();
  const model = useLabState((state) => state.input.models.A);
  const dimensions = useLabState((state) => state.input.dimensions);
  const table = dimensionsOf(model);
  if (!table) {
    return (
      <span className="lab-field">
        <span className="mono">dimensions</span>
        <span className="mut">set by the model</span>
        <IconButton size="small" label="Why dimensions is not available" tip={whyNoDimensions(model)}>
          <Info className="i s" aria-hidden />
        </IconButton>
      </span>
    );
  }
  const options = [
    { value: notSent, label: 'not sent', note: `gives ${formatCount(table.native)}` },
    ...table.values.map((value) => ({
      value: String(value),
      label: formatCount(value),
      note: `${formatCount(value * 4)} B`,
    })),
  ];
  const isSent = dimensions !== undefined && table.values.includes(dimensions);
  return (
    <span className="lab-field">
      <span className="mono">dimensions</span>
      <TierMark fill="half" label="documented, for one series of models" />
      <Select
        label="dimensions"
        value={isSent ? String(dimensions) : notSent}
        options={options}
        onChange={(value) => edit({ dimensions: value === notSent ? undefined : Number(value) })}
      />
      {table.isAssumed && (
        <IconButton
          size="small"
          label="These values are assumed"
          tip={`The ID names a size, ${table.size}, but not the series that the list of values is for. The server's answer decides.`}
        >
          <Info className="i s" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
