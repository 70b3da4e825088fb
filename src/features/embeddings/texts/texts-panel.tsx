import { FileUp, ListPlus } from 'lucide-react';
import { useState } from 'react';

import { wordsOf } from '../../../lib/error-words.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { importedFile, type ImportedFile } from '../../../state/lab/lab-input.ts';
import { usePlayground, useQueue } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { failureInWords } from '../finding-words.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { FindField } from '../nearest/find-field.tsx';
import { starterTexts } from './starter-texts.ts';
import { TextsTable } from './texts-table.tsx';
import { useFileChoice } from './use-file-choice.ts';

const accepted = '.csv,.tsv,.jsonl,.ndjson,.json,.txt,.md,text/*';
const largestFileBytes = 64 * 1024 * 1024;

/** What is embedded: typed, pasted or from a file; and every text with what became of it. */
export function TextsPanel({ hasFind }: { hasFind: boolean }) {
  const { edit, embed } = useLab();
  const input = useLabState((state) => state.input);
  const problems = useLabState((state) => state.reading.problems);
  const hasTable = useLabState((state) => state.texts.length > 0);
  const [refusal, setRefusal] = useState<string>();

  const onFile = async (file: File) => {
    setRefusal(undefined);
    if (file.size > largestFileBytes) {
      setRefusal(`${file.name} is larger than 64 MB. Use a part of it.`);
      return;
    }
    try {
      const imported = importedFile(file.name, await file.text());
      if (imported) edit({ file: imported });
      else setRefusal(`${file.name} contains no rows.`);
    } catch (error) {
      setRefusal(wordsOf(error));
    }
  };
  const { isOver, choose, dropProps } = useFileChoice((file) => void onFile(file));
  const isTokens = input.mode === 'tokens';
  const [problem] = problems;

  return (
    <section className={isOver ? 'texts over' : 'texts'} aria-label="Texts to embed" {...dropProps}>
      {hasFind && <FindField />}
      <div className={hasTable ? 'texts-input short' : 'texts-input'}>
        <div className="texts-head">
          <label htmlFor="texts">Texts</label>
          <span className="grow" />
          <Segmented
            label="What is sent"
            value={input.mode}
            choices={[
              { value: 'texts', label: 'text' },
              { value: 'tokens', label: 'tokens' },
            ]}
            onChange={(mode) => edit({ mode })}
          />
        </div>
        {input.file ? (
          <FileCard file={input.file} />
        ) : (
          <TextArea
            id="texts"
            aria-describedby="texts-hint"
            aria-invalid={problem !== undefined || undefined}
            className={isTokens ? 'area mono' : 'area'}
            dir="auto"
            spellCheck={!isTokens}
            placeholder={isTokens ? 'Token numbers, one input per line: 15339, 1917' : 'One text per line'}
            value={input.typed}
            onText={(typed) => edit({ typed })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void embed();
            }}
          />
        )}
        <div id="texts-hint">
          <CostPreview />
          {problem && !input.file && (
            <p className="cost failed">
              Line {problem.line} is skipped. {problem.message}
            </p>
          )}
          {refusal !== undefined && (
            <p className="cost failed" role="alert">
              {refusal}
            </p>
          )}
        </div>
      </div>
      <TextsTable />
      <SelectedText />
      <div className="texts-tools">
        <Menu
          label="Examples"
          placement="start"
          items={starters.map(({ id, name, about }) => ({
            label: name,
            hint: about,
            onPick: () => edit({ typed: starterTexts[id], mode: 'texts', file: undefined }),
          }))}
        >
          <ListPlus className="i s" aria-hidden />
          Examples
        </Menu>
        <Button look="quiet" size="small" onClick={() => choose(accepted)}>
          <FileUp className="i s" aria-hidden />
          CSV, JSON Lines or text file
        </Button>
      </div>
    </section>
  );
}

/** The whole of the text that is pointed at, and why it has no vector where it has none. */
function SelectedText() {
  const { current, chosen } = useLabState((state) => state.selection);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]));
  const group = useLabState((state) => (text?.group === undefined ? undefined : state.groups[text.group]));
  const failure = useLabState((state) =>
    current === undefined ? undefined : state.jobs.A?.failure(current),
  );
  if (!text) return null;
  return (
    <div className="selected-text" role="status" aria-label="Selected text">
      {chosen.length > 1 && <p className="mut">{chosen.length} texts are selected. The current one:</p>}
      <p dir="auto">{text.text}</p>
      {group !== undefined && <p className="mut">{group}</p>}
      {failure && <p className="failed">{failureInWords(failure)}</p>}
    </div>
  );
}

interface Starter {
  id: keyof typeof starterTexts;
  name: string;
  about: string;
}

/** Texts to begin with. */
const starters: readonly Starter[] = [
  { id: 'support', name: 'Support phrases', about: '24 texts in four groups' },
  { id: 'paraphrases', name: 'Same meaning, other words', about: '15 texts in five groups' },
  { id: 'subjects', name: 'Four subjects', about: '24 texts in four groups' },
  { id: 'languages', name: 'Four sentences, five languages', about: '20 texts, for a multilingual model' },
];

/** What embedding would cost, before anything is spent. */
export function CostPreview() {
  const { queue } = usePlayground();
  const plan = useLabState((state) => state.plan);
  const reading = useLabState((state) => state.reading);
  const models = useLabState((state) => state.input.models);
  const isUpToDate = useLabState((state) => state.isUpToDate);
  const sent = useQueue((state) => state.sentAt.length);
  const count = reading.items.length;
  const limit = queue.limit();
  if (count === 0)
    return <p className="cost mut">One text per line. A line “# Name” starts a group with that name.</p>;
  const words = [plural(count, 'text')];
  if (reading.duplicates > 0) words.push(`${plural(reading.duplicates, 'duplicate')}, sent once`);
  if (reading.blanks > 0) words.push(`${plural(reading.blanks, 'blank line')} skipped`);
  return (
    <p className="cost mut">
      {words.join(', ')}.{' '}
      {models.A === ''
        ? 'Choose a model.'
        : isUpToDate
          ? 'All embedded.'
          : plan && costInWords(plan, limit, limit === 0 ? undefined : Math.max(0, limit - sent))}
    </p>
  );
}

function costInWords(
  plan: { known: number; toSend: number; requests: { least: number; most: number }; tokens: number },
  limit: number,
  free: number | undefined,
): string {
  const { known, toSend, requests, tokens } = plan;
  if (toSend === 0) return 'All stored: no request needed.';
  const stored = known > 0 ? `${formatCount(known)} stored. ` : '';
  const range =
    requests.least === requests.most
      ? plural(requests.most, 'request')
      : `about ${plural(requests.least, 'request')} (at most ${formatCount(requests.most)})`;
  const minutes =
    limit === 0 || requests.most <= (free ?? 0)
      ? ''
      : `, up to about ${plural(Math.ceil(requests.most / limit), 'minute')} at ${formatCount(limit)} per minute`;
  return `${stored}${formatCount(toSend)} to send: ${range}, ~${plural(tokens, 'token')}${minutes}.`;
}

const none = 'none';

/** The file in use: which column holds the texts, which the groups, and what was left out. */
export function FileCard({ file }: { file: ImportedFile }) {
  const { edit } = useLab();
  const reading = useLabState((state) => state.reading);
  const { table, columns } = file;
  const options = table.columns.map((column, at) => ({ value: String(at), label: column }));
  const [first] = reading.problems;
  return (
    <div className="file-card" role="group" aria-label="File">
      <p>
        <b>{table.name}</b>{' '}
        <span className="mut">
          {table.kind}, {plural(table.rows.length, 'row')}
        </span>
      </p>
      <div className="file-columns">
        <span className="lab-field">
          <span>Text</span>
          <Select
            label="Column of texts"
            value={String(columns.text)}
            options={options}
            onChange={(value) => edit({ file: { table, columns: { ...columns, text: Number(value) } } })}
          />
        </span>
        <span className="lab-field">
          <span>Group</span>
          <Select
            label="Column of groups"
            value={columns.label === undefined ? none : String(columns.label)}
            options={[{ value: none, label: 'no groups' }, ...options]}
            onChange={(value) =>
              edit({
                file: { table, columns: { ...columns, label: value === none ? undefined : Number(value) } },
              })
            }
          />
        </span>
      </div>
      {first && (
        <p className="mut">
          {plural(reading.problems.length, 'row')} could not be read. Line {first.line}: {first.message}
        </p>
      )}
      <p dir="auto" className="mut sample">
        {reading.items[0]
          ? `First: ${reading.items[0].text.slice(0, 120)}`
          : 'This column contains no texts.'}
      </p>
      <Button size="small" onClick={() => edit({ file: undefined })}>
        Type texts instead
      </Button>
    </div>
  );
}
