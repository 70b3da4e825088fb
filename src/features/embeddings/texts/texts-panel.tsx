import { clsx } from 'clsx';
import { useState, useEffect, useRef } from 'react';

import { formatError } from '../../../lib/format-error.ts';
import { pluralize } from '../../../lib/format.ts';
import { createPreloadableImport } from '../../../lib/lazy-import.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import type { EmbeddingPlan } from '../../../state/embedding/embedding-plan.ts';
import type { ImportedFile } from '../../../state/lab/lab-input.ts';
import { getJobTexts } from '../../../state/lab/lab-state.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { inputVariants } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TableOptions } from '../../../ui/controls/table-options.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { useFileDrop } from '../../../ui/hooks/use-file-drop.ts';
import { FileUp, ListPlus, Maximize2, Minimize2 } from '../../../ui/late-icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useGatewayStatus } from '../../health/use-status.ts';
import { describeItemFailure } from '../describe-finding.ts';
import { describePlanCost } from '../describe-job.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useMinuteLimit } from '../hooks/use-minute-limit.ts';
import { useSameVector } from '../hooks/use-same-vector.ts';
import { LabStats } from '../lab-stats.tsx';
import { FindField } from '../nearest/find-field.tsx';
import { ExtraFields, OmittedFieldsNote } from './extra-fields-view.tsx';
import { createStarterInput, textStarters } from './starter-texts.ts';
import { TextsList } from './texts-list.tsx';

const acceptedTypes = '.csv,.tsv,.jsonl,.ndjson,.json,.txt,.md,text/*';
/** Loaded on demand, because files are rarely used. */
const loadFileReader = createPreloadableImport(() => import('../../../state/lab/lab-file.ts'));
const maxFileBytes = 64 * 1024 * 1024;

/** Input texts (typed, pasted or from a file) and the list of all texts with their results. */
export function TextsPanel({ hasFindField, className = '' }: { hasFindField: boolean; className?: string }) {
  const { edit, embed } = useLab();
  const input = useLabState((state) => state.input);
  const problems = useLabState((state) => state.parsedInput.problems);
  const hasTable = useLabState((state) => getJobTexts(state).texts.length > 0);
  const [isTall, setTall] = useState(false);
  const [fileProblem, setFileProblem] = useState<string>();

  const onFile = async (file: File) => {
    setFileProblem(undefined);
    if (file.size > maxFileBytes) {
      setFileProblem(`${file.name} is larger than 64 MB. Use a smaller file.`);
      return;
    }
    try {
      const { readLabFile } = await loadFileReader();
      const imported = readLabFile(file.name, new Uint8Array(await file.arrayBuffer()));
      const { rows, problems: rowProblems } = imported.table;
      if (rows.length + rowProblems.length === 0) setFileProblem(`${file.name} contains no rows.`);
      else edit({ file: imported });
    } catch (error) {
      setFileProblem(formatError(error));
    }
  };
  const { isDragOver, openDialog, dropProps } = useFileInput((file) => void onFile(file));
  const isTokens = input.mode === 'tokens';
  const [problem] = problems;

  return (
    <section
      className={`${className} flex min-h-0 flex-col border-r border-line bg-bench @max-4xl/page:h-full @max-4xl/page:border-r-0 ${isDragOver ? 'outline-2 -outline-offset-4 outline-needle outline-dashed' : ''}`}
      aria-label="Texts to embed"
      {...dropProps}
    >
      {hasFindField && <FindField />}
      <div
        className={`flex flex-col gap-1 px-4 py-1.5 ${hasTable ? 'flex-none border-b border-line' : 'min-h-45 flex-auto'}`}
      >
        <div className="flex items-center gap-1">
          <label htmlFor="texts" className="text-11 text-ink-3">
            Texts
          </label>
          <span className="grow" />
          {hasTable && !input.file && (
            <IconButton
              size="small"
              label="Expand field"
              aria-pressed={isTall}
              onClick={() => setTall(!isTall)}
            >
              {isTall ? (
                <Minimize2 className="icon-14" aria-hidden />
              ) : (
                <Maximize2 className="icon-14" aria-hidden />
              )}
            </IconButton>
          )}
          <Segmented
            label="Input type"
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
            className={clsx(
              inputVariants(),
              'block field-sizing-fixed min-h-16 w-full overflow-y-auto px-2.5 py-2 leading-[22px] wrap-anywhere',
              'max-phone:text-[16px]',
              isTokens
                ? 'font-mono text-mono-12'
                : 'font-sans text-13 tracking-normal normal-nums [word-spacing:0.06em]',
              getHeightClasses(hasTable, isTall),
            )}
            dir="auto"
            spellCheck={!isTokens}
            placeholder={isTokens ? 'Token IDs, one input per line: 15339, 1917' : 'One text per line'}
            value={input.typed}
            onText={(typed) => edit({ typed })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void embed();
            }}
          />
        )}
        <div id="texts-hint">
          <CostPreview />
          <LabStats />
          {problem && !input.file && (
            <p className="text-12 text-pretty text-err-ink">
              Line {problem.line} was skipped. {problem.message}
            </p>
          )}
          {fileProblem !== undefined && (
            <p className="text-12 text-pretty text-err-ink" role="alert">
              {fileProblem}
            </p>
          )}
        </div>
        <ExtraFields target="texts" />
        <OmittedFieldsNote target="texts" />
      </div>
      <TextsList />
      <SelectedText />
      <div className="flex flex-none flex-wrap items-center gap-0.5 border-t border-line px-2 py-1">
        <Menu
          label="Examples"
          className="inline-flex h-7 items-center gap-1.5 rounded-2 px-2 text-12 text-ink-2 hover:bg-hover hover:text-ink"
          placement="start"
          items={textStarters.map(({ id, name, description }) => ({
            label: name,
            hint: description,
            onPick: () => edit(createStarterInput(id)),
          }))}
        >
          <ListPlus className="icon-14" aria-hidden />
          Examples
        </Menu>
        <Button
          variant="ghost"
          size="small"
          className="h-7 text-12"
          data-tooltip="CSV, JSON Lines or text"
          onClick={() => openDialog(acceptedTypes)}
        >
          <FileUp className="icon-14" aria-hidden />
          Open a file…
        </Button>
      </div>
    </section>
  );
}

/** Returns the height of the text field: small once the list of embedded texts is below it, taller on request. */
function getHeightClasses(hasTable: boolean, isTall: boolean): string {
  if (!hasTable) return 'flex-1 resize-none';
  return `max-h-[60vh] flex-none resize-y ${isTall ? 'h-[45vh]' : 'h-16'}`;
}

/** Full text of the current row and, if the text has no vector, the reason. */
function SelectedText() {
  const { current, chosen } = useLabState((state) => state.selection);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]));
  const group = useLabState((state) => (text?.group === undefined ? undefined : state.groups[text.group]));
  const failure = useLabState((state) =>
    current === undefined ? undefined : state.jobs.A?.getFailure(current),
  );
  const hasPendingTexts = useLabState((state) => state.pendingTexts !== undefined);
  const findSameVector = useSameVector();
  const sameVectorMatch = current === undefined ? undefined : findSameVector(current);
  if (!text || hasPendingTexts) return null;
  return (
    <div
      className="max-h-[30%] flex-none overflow-auto border-t border-line px-4 pt-2 pb-2.5 text-13 wrap-anywhere"
      role="status"
      aria-label="Selected text"
    >
      {chosen.length > 1 && (
        <p className="text-12 text-ink-3">{chosen.length} texts selected. Current text:</p>
      )}
      {sameVectorMatch && (
        <p className="text-12 text-ink-2 first-letter:uppercase">
          {sameVectorMatch.remark}. Other text:
          <span dir="auto" className="line-clamp-2 text-ink-3">
            {sameVectorMatch.otherText}
          </span>
        </p>
      )}
      <p dir="auto">{text.text}</p>
      {group !== undefined && <p className="text-12 text-ink-3">{group}</p>}
      {failure && <p className="text-12 text-err-ink">{describeItemFailure(failure)}</p>}
    </div>
  );
}

/** Estimated cost, before any request is sent. */
export function CostPreview() {
  const { gateways } = useAppServices();
  const isEmbedding = useLabState((state) => state.activeSlot !== undefined);
  const plans = useLabState((state) => state.plans);
  const parsedInput = useLabState((state) => state.parsedInput);
  const duplicates = useLabState((state) => state.duplicates);
  const models = useLabState((state) => state.input.models);
  const isUpToDate = useLabState((state) => state.isUpToDate);
  const count = parsedInput.items.length;
  if (count === 0)
    return (
      <p className="text-12 text-pretty text-ink-3">
        One text per line. A line such as “# Name” starts a group.
      </p>
    );
  const phrases = [pluralize(count, 'text')];
  if (duplicates > 0) phrases.push(`${pluralize(duplicates, 'duplicate')} sent only once`);
  if (parsedInput.blanks > 0) phrases.push(`${pluralize(parsedInput.blanks, 'blank line')} skipped`);
  const nextStep =
    models.A.model === ''
      ? 'Choose a model.'
      : isUpToDate
        ? 'All embedded.'
        : plans?.map((plan) => <PlanCost key={plan.gateway ?? ''} plan={plan} isNamed={plans.length > 1} />);
  const canEmbed = Object.values(models).every(({ gateway }) => !gateways.isUnknown(gateway));
  return (
    <p className="text-12 text-pretty text-ink-3">
      {phrases.join(', ')}. {!isEmbedding && canEmbed && nextStep}
    </p>
  );
}

/** Cost of the requests to one gateway at its rate limit. */
function PlanCost({ plan, isNamed }: { plan: EmbeddingPlan; isNamed: boolean }) {
  const minute = useMinuteLimit(plan.gateway);
  const status = useGatewayStatus(plan.gateway);
  const cost = describePlanCost(plan, minute);
  return isNamed ? `${status?.label}: ${cost} ` : cost;
}

const noColumn = 'none';

/** Current file: the columns for texts and groups, and what was skipped. */
export function FileCard({ file }: { file: ImportedFile }) {
  const { edit } = useLab();
  const parsedInput = useLabState((state) => state.parsedInput);
  const { table, columns } = file;
  const notes = [
    ...(table.kind === 'text' ? ['Read as plain text, one text per line.'] : []),
    ...(table.reading?.notes ?? []),
  ];
  const options = table.columns.map((column, index) => ({ value: String(index), label: column }));
  const [first] = parsedInput.problems;
  const unreadableCount = parsedInput.problems.length - table.problems.length;
  const omittedCount = (table.reading?.leftOut ?? table.problems.length) + unreadableCount;
  return (
    <div
      className="flex flex-col items-start gap-1.5 rounded-2 border border-line-2 bg-raised px-2.5 py-2 text-12 wrap-anywhere"
      role="group"
      aria-label="File"
    >
      <p>
        <b>{table.name}</b>{' '}
        <span className="text-ink-3">
          {table.kind}, {pluralize(table.rows.length, 'row')}
        </span>
      </p>
      {table.reading && (
        <div
          role="group"
          aria-label="Import options"
          className="flex flex-wrap items-center gap-x-3 gap-y-1.5"
        >
          <TableOptions
            reading={table.reading}
            onChange={(change) => {
              void loadFileReader().then(({ readFileAgain }) => {
                const rereadFile = readFileAgain(file, change);
                if (rereadFile) edit({ file: rereadFile });
              });
            }}
          />
        </div>
      )}
      {notes.length > 0 && <p className="text-pretty text-ink-2">{notes.join(' ')}</p>}
      <div className="flex flex-wrap gap-x-3 gap-y-1">
        <span className="inline-flex min-w-0 items-center gap-1.5 text-12">
          <span>Text</span>
          <Select
            label="Text column"
            value={String(columns.text)}
            options={options}
            onChange={(value) => edit({ file: { table, columns: { ...columns, text: Number(value) } } })}
          />
        </span>
        <span className="inline-flex min-w-0 items-center gap-1.5 text-12">
          <span>Group</span>
          <Select
            label="Group column"
            value={columns.label === undefined ? noColumn : String(columns.label)}
            options={[{ value: noColumn, label: 'no groups' }, ...options]}
            onChange={(value) =>
              edit({
                file: {
                  table,
                  columns: { ...columns, label: value === noColumn ? undefined : Number(value) },
                },
              })
            }
          />
        </span>
      </div>
      {first && (
        <p className="text-ink-3">
          {pluralize(omittedCount, 'row')} skipped. {first.message}
        </p>
      )}
      <p dir="auto" className="line-clamp-2 text-ink-3">
        {parsedInput.items[0]
          ? `First text: ${parsedInput.items[0].text.slice(0, 120)}`
          : 'This column contains no texts.'}
      </p>
      <Button size="small" onClick={() => edit({ file: undefined })}>
        Type texts instead
      </Button>
    </div>
  );
}

/** Handles a file from a dialog or a drop; `isDragOver` is true while a file is dragged over the drop target. */
function useFileInput(onFile: (file: File) => void) {
  const { isDragOver, handlers } = useFileDrop(([file]) => {
    if (file) onFile(file);
  });
  const input = useRef<HTMLInputElement>(undefined);

  useEffect(() => () => input.current?.remove(), []);

  const openDialog = (accept: string) => {
    const element = document.createElement('input');
    element.type = 'file';
    element.accept = accept;
    element.addEventListener('change', () => {
      const [file] = element.files ?? [];
      if (file) onFile(file);
    });
    input.current = element;
    element.click();
  };
  return { isDragOver, openDialog, dropProps: handlers };
}
